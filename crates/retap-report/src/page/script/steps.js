// The list of all steps. Only the rows in view exist.
(() => {
  const list = byId('step-list');
  if (!list || !timeline) return;
  const HEIGHT = 30;
  const { steps, events } = timeline;
  const filters = { all: 0, state: MARKS.state, code: MARKS.code, return: MARKS.back | MARKS.restart, crash: MARKS.crash, outside: MARKS.outside, limitation: MARKS.limitation };
  let shown = null;
  let found = -1;
  const space = make('div', { style: 'position:relative' });
  list.append(space);

  function filter() {
    const wanted = byId('step-search').value.toLowerCase().trim();
    const mask = filters[byId('step-filter').value];
    const fits = wanted ? data.sentences.map((sentence) => sentence.toLowerCase().includes(wanted)) : null;
    if (!mask && !fits) shown = null;
    else {
      shown = [];
      for (let at = 0; at < steps; at += 1) {
        if ((!mask || data.steps[at * 3 + 2] & mask) && (!fits || fits[data.steps[at * 3]])) shown.push(at);
      }
    }
    list.scrollTop = 0;
    space.style.height = `${rows() * HEIGHT}px`;
    byId('step-count').textContent = count(rows(), 'step');
    render();
  }

  const rows = () => (shown ? shown.length : steps);

  function notes(mark) {
    const words = [];
    if (mark & MARKS.crash) words.push('crash');
    if (mark & MARKS.state) words.push('new state');
    if (mark & MARKS.code) words.push('new code');
    if (mark & MARKS.way) words.push('on the way');
    if (mark & MARKS.missed) words.push('missed');
    if (mark & MARKS.outside) words.push('left or ended');
    if (mark & MARKS.limitation) words.push('limitation');
    return words.join(', ');
  }

  function row(place) {
    const at = shown ? shown[place] : place;
    const mark = data.steps[at * 3 + 2];
    const number = data.steps[at * 3 + 1];
    const kind = mark & MARKS.crash ? ' crash' : mark & (MARKS.back | MARKS.restart) ? ' start' : mark & MARKS.way ? ' way' : '';
    const sentence = data.sentences[data.steps[at * 3]];
    return make('div', { class: `row${kind}${at === found ? ' found' : ''}`, style: `top:${place * HEIGHT}px` },
      make('span', { class: 'event' }, kind === ' start' ? '' : group(events[at])),
      make('span', { title: sentence }, isolated(sentence)),
      number ? make('a', { href: '#graph', tabindex: '-1', onclick: () => window.dispatchEvent(new CustomEvent('retap-state', { detail: number })) }, `state ${number}`) : make('span', {}),
      make('span', { class: 'quiet' }, notes(mark)));
  }

  function render() {
    const first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 4);
    const last = Math.min(rows(), first + Math.ceil(list.clientHeight / HEIGHT) + 8);
    const visible = [];
    for (let place = first; place < last; place += 1) visible.push(row(place));
    space.replaceChildren(...visible);
  }

  let waiting = false;
  list.addEventListener('scroll', () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; render(); });
  }, { passive: true });
  timeline.canvas.addEventListener('click', (event) => {
    found = timeline.nearest(event);
    byId('step-search').value = '';
    byId('step-filter').value = 'all';
    filter();
    list.scrollTop = Math.max(0, (found - 4) * HEIGHT);
    render();
  });
  byId('step-search').addEventListener('input', debounce(filter));
  byId('step-filter').addEventListener('change', filter);
  whenNear(list, filter);
})();
