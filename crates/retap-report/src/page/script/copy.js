// Buttons that copy a command or a text.
function say(text) {
  const status = byId('status');
  status.textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { status.textContent = ''; }, 2500);
}

function copyByHand(text) {
  const area = make('textarea', { 'aria-hidden': 'true', style: 'position:fixed;opacity:0' });
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByHand(text);
  }
}

document.addEventListener('click', async (event) => {
  const button = event.target.closest('button.copy');
  if (!button) return;
  let text = button.dataset.copy;
  if ('choice' in button.dataset) text += button.parentElement.querySelector('select').value;
  say(await copyText(text) ? 'Copied' : 'This browser does not allow copying');
});
