// Talks to retap. Every request carries the token of the page's address.
const token = new URLSearchParams(location.search).get('token') || '';
const address = (path, extra) => `${path}?${new URLSearchParams({ token, ...extra })}`;

/** Asks for something and returns the answer; throws what retap says is wrong. */
async function get(path, extra) {
  const response = await fetch(address(path, extra), { cache: 'no-store' });
  const value = await response.json();
  if (!response.ok) throw new Error(value.error || response.statusText);
  return value;
}

/** Commands something. Other commands wait until it is done. */
async function post(path, value) {
  setBusy(true);
  try {
    const response = await fetch(address(path), { method: 'POST', body: JSON.stringify(value || {}) });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error || response.statusText);
    return answer;
  } finally {
    setBusy(false);
  }
}

let busy = 0;
function setBusy(isBusy) {
  busy += isBusy ? 1 : -1;
  byId('glass').classList.toggle('busy', busy > 0);
  for (const button of document.querySelectorAll('#studio button:not([role=tab])')) button.disabled = busy > 0;
}

/** Runs a command, shows what it led to, and tells if it failed. */
async function command(path, value, then) {
  if (busy) return;
  try {
    const answer = await post(path, value);
    if (then) await then(answer);
    await refresh();
  } catch (error) {
    complain(error.message);
    await refresh().catch(() => {});
  }
}
