// The widgets of the screen, and the selector that an event on the chosen one would record.
let chosen = null;

function showWidgets() {
  const { here } = view;
  const { screen } = here;
  byId('place').replaceChildren(isolated(screen.activity || 'no activity of the app'), `${screen.window ? `, ${screen.window}` : ''}, state ${here.state.slice(0, 8)}`);
  const rows = screen.widgets.map((widget) => {
    const label = widget.label || widget.description;
    const button = make('button', {
      type: 'button',
      style: null,
      onclick: () => choose(widget, button),
      onmouseenter: () => frame(widget.bounds),
      onfocus: () => frame(widget.bounds),
      onmouseleave: () => frame(null),
      title: widget.class,
    },
    make('span', { class: 'number' }, widget.number ? String(widget.number) : ''),
    make('span', { class: 'kind' }, `${widget.kind} `),
    label ? isolated(label) : '',
    widget.id ? make('span', { class: 'kind' }, ` #${widget.id}`) : '',
    widget.notes.length ? make('span', { class: 'kind' }, ` (${widget.notes.join(', ')})`) : '');
    button.style.paddingLeft = `${6 + Math.min(widget.depth, 12) * 8}px`;
    return make('li', {}, button);
  });
  byId('widgets').replaceChildren(...rows);
  byId('chosen').hidden = true;
  chosen = null;
}

function choose(widget, button) {
  chosen = widget;
  for (const other of document.querySelectorAll('#widgets .chosen')) other.classList.remove('chosen');
  button.classList.add('chosen');
  byId('chosen').hidden = false;
  byId('chosen-title').replaceChildren(`${widget.kind} `, isolated(widget.label || widget.description || widget.id || simpleName(widget.class)));
  byId('selector').textContent = JSON.stringify(widget.selector, null, 2);
  byId('typing').hidden = widget.kind !== 'field';
  frame(widget.bounds);
}

function targetOf(widget) {
  const [left, top, right, bottom] = widget.bounds;
  return { on: widget.selector, at: [Math.floor((left + right) / 2), Math.floor((top + bottom) / 2)] };
}

for (const button of document.querySelectorAll('[data-do]')) {
  button.addEventListener('click', () => {
    if (!chosen) return;
    const what = button.dataset.do;
    const event = what === 'text' ? { text: { on: targetOf(chosen), text: byId('text').value } } : { [what]: targetOf(chosen) };
    command('/api/event', event, moved);
  });
}
byId('text').addEventListener('keydown', (event) => {
  if (event.key === 'Enter') document.querySelector('[data-do=text]').click();
});
