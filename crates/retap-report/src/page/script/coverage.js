// Coverage down to classes, methods, lines and, if the page holds them, sources.
(() => {
  const tree = byId('coverage-tree');
  if (!tree || !data || !data.classes.length) return;
  const KINDS = ['Instructions', 'Branches', 'Lines', 'Methods'];
  const classes = data.classes.map(([name, file, counts, first, methods, ran, not]) => {
    const dot = name.lastIndexOf('.');
    return { name, simple: name.slice(dot + 1), package: dot < 0 ? '' : name.slice(0, dot), file, counts, first, methods, ran, not };
  });
  const open = new Set();
  const share = ([covered, total]) => (total ? covered / total : 1);

  function cell([covered, total]) {
    if (!total) return make('td', {}, '–');
    const percent = (100 * covered) / total;
    return make('td', {}, `${percent.toFixed(percent === 100 ? 0 : 1)}% `, make('small', {}, `${group(covered)} of ${group(total)}`),
      make('span', { class: 'meter', 'aria-hidden': 'true' }, make('i', { style: `width:${percent}%` })));
  }

  function visible() {
    const wanted = byId('coverage-search').value.toLowerCase().trim();
    const filter = byId('coverage-filter').value;
    return classes.filter((one) => one.name.toLowerCase().includes(wanted)
      && (filter === 'all' || (filter === 'none' ? one.first < 0 : one.first >= 0 && share(one.counts[0]) < 1)));
  }

  const missing = (one) => one.counts[0][1] - one.counts[0][0];
  const never = (one) => (one.first < 0 ? Infinity : one.first);
  const orders = {
    name: (a, b) => a.name.localeCompare(b.name),
    missing: (a, b) => missing(b) - missing(a),
    percent: (a, b) => share(a.counts[0]) - share(b.counts[0]),
    first: (a, b) => never(a) - never(b),
  };

  function foldButton(key, text) {
    return make('button', { type: 'button', class: 'fold-button', 'aria-expanded': String(open.has(key)), onclick: () => {
      if (!open.delete(key)) open.add(key);
      render();
      const again = [...tree.querySelectorAll('.fold-button')].find((button) => button.dataset.key === key);
      if (again) again.focus();
    }, 'data-key': key }, isolated(text));
  }

  const lineNumbers = (ranges) => new Set((ranges ? ranges.split(',') : []).flatMap((range) => {
    const [first, last] = range.split('-').map(Number);
    return Array.from({ length: (last || first) - first + 1 }, (_, at) => first + at);
  }));

  function source(one) {
    const text = data.sources && data.sources[one.file];
    if (text == null) return null;
    const [ran, not] = [lineNumbers(one.ran), lineNumbers(one.not)];
    const lines = text.split('\n').map((line, at) => {
      const kind = ran.has(at + 1) ? 'ran' : not.has(at + 1) ? 'not' : '';
      return make('div', { class: kind, 'data-line': at + 1 }, line || ' ');
    });
    const box = make('div', { class: 'source', tabindex: '0', role: 'group', 'aria-label': `Source of ${one.simple}` }, ...lines);
    const from = Math.min(...ran, ...not);
    if (Number.isFinite(from)) requestAnimationFrame(() => { box.scrollTop = Math.max(0, lines[from - 1] ? lines[from - 1].offsetTop - box.offsetTop - 40 : 0); });
    return box;
  }

  const PLAIN = { B: 'byte', C: 'char', D: 'double', F: 'float', I: 'int', J: 'long', S: 'short', Z: 'boolean', V: 'void' };
  /** Turns `go(ILandroid/view/View;)V` into `go(int, View)`. */
  function readable(method) {
    const parts = /^(.*)\((.*)\)/.exec(method);
    if (!parts) return method;
    const types = [...parts[2].matchAll(/(\[*)(?:L([^;]*);|([BCDFIJSZV]))/g)];
    const names = types.map(([, array, name, plain]) => (name ? simpleName(name.replace(/\//g, '.')) : PLAIN[plain]) + '[]'.repeat(array.length));
    return `${parts[1]}(${names.join(', ')})`;
  }

  function inside(one) {
    const methods = one.methods.map(([name, covered, total]) => make('li', { class: covered ? '' : 'none' },
      isolated(readable(name)), ` ${Math.round((100 * covered) / total)}%`));
    return make('tr', { class: 'inside' }, make('td', { colspan: 5 },
      make('p', { class: 'quiet' }, one.first < 0 ? 'No event of the run ran it.' : `First run at event ${group(one.first)}.`, one.file ? ` Source file: ${one.file}.` : ''),
      methods.length ? make('ul', { class: 'methods' }, ...methods) : '',
      one.ran || one.not ? make('p', { class: 'quiet' }, `Lines that ran: ${one.ran || 'none'}. Lines that did not: ${one.not || 'none'}.`) : '',
      source(one)));
  }

  function sum(list) {
    return KINDS.map((_, kind) => list.reduce(([covered, total], one) => [covered + one.counts[kind][0], total + one.counts[kind][1]], [0, 0]));
  }

  function render() {
    const shown = visible();
    const packages = new Map();
    for (const one of shown) {
      if (!packages.has(one.package)) packages.set(one.package, []);
      packages.get(one.package).push(one);
    }
    const order = orders[byId('coverage-sort').value];
    const total = (list) => sum(list)[0][1];
    const names = [...packages.keys()].sort((a, b) => total(packages.get(b)) - total(packages.get(a)) || a.localeCompare(b));
    const searching = byId('coverage-search').value.trim() !== '' && shown.length <= 60;
    const body = make('tbody', {});
    for (const name of names) {
      const list = packages.get(name);
      const key = `package ${name}`;
      body.append(make('tr', {}, make('th', { scope: 'row' }, foldButton(key, name || 'no package'), make('small', {}, ` ${count(list.length, 'class').replace('classs', 'classes')}`)), ...sum(list).map(cell)));
      if (!open.has(key) && !searching && names.length > 1) continue;
      for (const one of list.sort(order)) {
        body.append(make('tr', { class: 'class' }, make('th', { scope: 'row' }, foldButton(one.name, one.simple)), ...one.counts.map(cell)));
        if (open.has(one.name)) body.append(inside(one));
      }
    }
    const head = make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'Package and class'), ...KINDS.map((kind) => make('th', { scope: 'col', class: 'figure' }, kind))));
    tree.replaceChildren(make('table', {}, head, body), names.length ? '' : make('p', { class: 'quiet' }, 'No class matches.'));
  }

  tree.classList.add('tree');
  byId('coverage-tools').hidden = false;
  byId('coverage-search').addEventListener('input', debounce(render));
  for (const id of ['coverage-filter', 'coverage-sort']) byId(id).addEventListener('change', render);
  whenNear(tree, render);
})();
