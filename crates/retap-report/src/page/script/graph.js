// The state graph: zoom with the wheel, the buttons or + and -, move by dragging or with the arrows, choose a state.
(() => {
  const drawing = byId('graph-drawing');
  if (!drawing || !data) return;
  const graph = byId('graph-box');
  graph.classList.add('alive');
  graph.querySelector('.graph-tools').hidden = false;
  const whole = drawing.viewBox.baseVal;
  const all = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  let view = { ...all };
  const show = () => drawing.setAttribute('viewBox', `${view.x} ${view.y} ${view.width} ${view.height}`);
  const zoom = (factor, x = view.x + view.width / 2, y = view.y + view.height / 2) => {
    const width = Math.min(all.width * 1.5, Math.max(60, view.width * factor));
    const real = width / view.width;
    view = { x: x - (x - view.x) * real, y: y - (y - view.y) * real, width, height: view.height * real };
    show();
  };
  /** Moves the view to the middle of a box. */
  const center = ({ x, y, width, height }) => {
    view = { ...view, x: x + width / 2 - view.width / 2, y: y + height / 2 - view.height / 2 };
  };
  const place = (event) => {
    const matrix = drawing.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : { x: 0, y: 0 };
  };
  drawing.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && document.activeElement !== drawing) return;
    event.preventDefault();
    const { x, y } = place(event);
    zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, x, y);
  }, { passive: false });
  let held = null;
  drawing.addEventListener('pointerdown', (event) => { held = { at: place(event), moved: false, id: event.pointerId }; });
  drawing.addEventListener('pointermove', (event) => {
    if (!held) return;
    const now = place(event);
    const [dx, dy] = [held.at.x - now.x, held.at.y - now.y];
    if (!held.moved && Math.hypot(dx, dy) < view.width / 150) return;
    if (!held.moved) { held.moved = true; drawing.setPointerCapture(held.id); drawing.classList.add('moving'); }
    view = { ...view, x: view.x + dx, y: view.y + dy };
    show();
  });
  const release = (event) => {
    const state = event.target.closest && event.target.closest('.state');
    if (held && !held.moved && event.type === 'pointerup') choose(state ? Number(state.dataset.state) : 0);
    held = null;
    drawing.classList.remove('moving');
  };
  drawing.addEventListener('pointerup', release);
  drawing.addEventListener('pointercancel', release);
  drawing.setAttribute('tabindex', '0');
  drawing.addEventListener('keydown', (event) => {
    const step = view.width / 10;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (moves[event.key]) { view = { ...view, x: view.x + moves[event.key][0], y: view.y + moves[event.key][1] }; show(); }
    else if (event.key === '+' || event.key === '=') zoom(1 / 1.3);
    else if (event.key === '-') zoom(1.3);
    else if (event.key === '0') { view = { ...all }; show(); }
    else if (event.key === 'Escape') choose(0);
    else return;
    event.preventDefault();
  });
  for (const button of graph.querySelectorAll('[data-zoom]')) {
    button.addEventListener('click', () => {
      if (button.dataset.zoom === 'all') { view = { ...all }; show(); }
      else {
        const node = nodes.get(Number(select.value));
        const box = node ? node.getBBox() : { x: view.x, y: view.y, width: view.width, height: view.height };
        center(box);
        zoom(button.dataset.zoom === 'in' ? 1 / 1.4 : 1.4);
      }
    });
  }
  const select = byId('graph-state');
  for (let number = 1; number <= Math.min(data.states.length, 2000); number += 1) {
    select.append(make('option', { value: number }, stateName(stateInfo(number))));
  }
  select.addEventListener('change', () => choose(Number(select.value)));

  const nodes = new Map([...drawing.querySelectorAll('.state')].map((node) => [Number(node.dataset.state), node]));
  const lines = [...drawing.querySelectorAll('.transition')];
  let outgoing = null;
  let incoming = null;
  function index() {
    if (outgoing) return;
    outgoing = new Map();
    incoming = new Map();
    for (const [from, to, times, sentences] of data.edges) {
      for (const [map, key, other] of [[outgoing, from, to], [incoming, to, from]]) {
        if (!map.has(key)) map.set(key, []);
        map.get(key).push({ other, times, sentences });
      }
    }
  }

  /** Finds the fewest steps from the launch to a state. */
  function pathTo(goal) {
    const start = data.steps[1];
    const before = new Map([[start, null]]);
    const queue = [start];
    for (let at = 0; at < queue.length && !before.has(goal); at += 1) {
      for (const { other, sentences } of outgoing.get(queue[at]) || []) {
        if (!before.has(other)) { before.set(other, { from: queue[at], sentence: sentences[0] }); queue.push(other); }
      }
    }
    if (!before.has(goal)) return null;
    const path = [];
    for (let at = goal; before.get(at); at = before.get(at).from) path.unshift(data.sentences[before.get(at).sentence]);
    return path;
  }

  function edgeList(edges) {
    const items = edges.slice(0, 40).map(({ other, times, sentences }) => {
      const state = stateInfo(other);
      return make('li', {},
        make('button', { type: 'button', class: 'link', onclick: () => choose(other) }, state ? stateName(state) : `State ${other}`),
        ' by ', isolated(sentences.map((number) => data.sentences[number]).join(', or ')), times > 1 ? ` (${group(times)} times)` : '');
    });
    return make('ul', {}, ...items);
  }

  function picture(number) {
    const image = byId(`p${number}`);
    if (!image) return null;
    const svg = draw('svg', { viewBox: `0 0 ${image.getAttribute('width')} ${image.getAttribute('height')}`, class: 'screenshot', role: 'img', 'aria-label': 'The screen of this state' });
    svg.append(draw('use', { href: `#p${number}` }));
    return svg;
  }

  function label(line, text) {
    const middle = line.getPointAtLength(line.getTotalLength() / 2);
    const element = draw('text', { x: middle.x, y: middle.y, class: 'edge-label' });
    element.textContent = text.length > 34 ? `${text.slice(0, 33)}…` : text;
    byId('graph-labels').append(element);
  }

  function choose(number) {
    index();
    const panel = byId('graph-panel');
    for (const node of nodes.values()) node.classList.remove('chosen');
    byId('graph-labels').replaceChildren();
    for (const line of lines) line.classList.remove('in', 'out');
    const state = number ? stateInfo(number) : null;
    graph.classList.toggle('chosen-graph', Boolean(state));
    panel.hidden = !state;
    select.value = state ? String(number) : '';
    if (!state) return;
    if (nodes.has(number)) nodes.get(number).classList.add('chosen');
    const out = outgoing.get(number) || [];
    for (const line of lines) {
      if (Number(line.dataset.from) === number) {
        line.classList.add('out');
        const edge = out.find(({ other }) => other === Number(line.dataset.to));
        if (edge) label(line, data.sentences[edge.sentences[0]]);
      } else if (Number(line.dataset.to) === number) line.classList.add('in');
    }
    const path = pathTo(number);
    panel.replaceChildren(
      make('button', { type: 'button', class: 'close', onclick: () => choose(0) }, 'Close'),
      make('h3', {}, stateName(state)),
      state.picture >= 0 ? picture(state.picture) : '',
      make('p', {}, `${count(state.visits, 'visit')}, first at event ${group(state.first)}.`, state.crashed ? ' The app crashed here.' : ''),
      make('h4', {}, 'The shortest way here'),
      path ? make('ol', {}, ...path.map((step) => make('li', {}, isolated(step)))) : make('p', {}, 'Not known.'),
      path && !path.length ? make('p', {}, 'The launch leads here.') : '',
      make('h4', {}, `Steps from here (${out.length})`), edgeList(out),
      make('h4', {}, `Steps to here (${(incoming.get(number) || []).length})`), edgeList(incoming.get(number) || []));
    panel.scrollTop = 0;
  }
  window.addEventListener('retap-state', (event) => choose(event.detail));
})();
