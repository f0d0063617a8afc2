// Steps, states, crashes and exploring.
const tabs = [...document.querySelectorAll('[role=tab]')];
function openTab(tab) {
  for (const one of tabs) {
    const isOpen = one === tab;
    one.setAttribute('aria-selected', String(isOpen));
    one.tabIndex = isOpen ? 0 : -1;
    byId(one.getAttribute('aria-controls')).hidden = !isOpen;
  }
}
tabs.forEach((tab, at) => {
  tab.addEventListener('click', () => openTab(tab));
  tab.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(at + step + tabs.length) % tabs.length];
    openTab(next);
    next.focus();
  });
});

function showSteps({ steps, traces }) {
  byId('steps').replaceChildren(...steps.map((step) => make('li', {}, isolated(step))));
  byId('traces').replaceChildren(...traces.map((file) => {
    const name = file.split('/').pop();
    return make('li', {}, make('span', { class: 'words' }, isolated(name)),
      make('button', { type: 'button', onclick: () => replay(name) }, 'Replay'), exporter(name));
  }));
}

function showStates({ states }) {
  byId('states').replaceChildren(...states.slice().reverse().slice(0, 300).map((state) => {
    const away = state.events_away == null ? 'no way known' : `${count(state.events_away, 'event')} away`;
    return make('li', {},
      state.has_picture ? make('img', { src: address('/api/state-picture', { state: state.state }), alt: '', loading: 'lazy' }) : '',
      make('span', { class: `words${state.is_here ? ' here' : ''}` },
        `${state.number}. `, isolated(state.activity ? simpleName(state.activity) : 'no activity'),
        state.names.length ? ` “${state.names.join('”, “')}”` : '', make('br', {}),
        make('small', { class: 'quiet' }, `${count(state.visits, 'visit')}, ${away}${state.is_here ? ', here' : ''}`)),
      make('button', { type: 'button', 'aria-label': `Go to state ${state.number}`, onclick: () => command('/api/go', { name: state.state }, moved) }, 'Go'));
  }));
}

function showCrashes({ crashes }) {
  byId('tab-crashes').textContent = crashes.length ? `Crashes (${crashes.length})` : 'Crashes';
  if (!crashes.length) {
    byId('crashes').replaceChildren(make('p', { class: 'quiet' }, 'No crash yet.'));
    return;
  }
  byId('crashes').replaceChildren(...crashes.map((crash) => {
    const rate = crash.success && crash.success.runs ? `, reproduces in ${crash.success.successes} of ${crash.success.runs} runs` : '';
    return make('article', { class: 'crash', 'data-crash': crash.id },
      make('h3', {}, isolated(simpleName(crash.exception))),
      crash.message ? make('p', {}, isolated(crash.message)) : '',
      crash.place ? make('p', { class: 'quiet' }, 'at ', isolated(crash.place)) : '',
      make('p', { class: 'quiet' }, `${count(crash.events, 'event')}${crash.minimized ? ', minimised' : ''}, confidence ${crash.confidence}${rate}`),
      crash.steps.length ? make('ol', {}, ...crash.steps.map((step) => make('li', {}, isolated(step)))) : '',
      make('div', { class: 'row' },
        crash.minimized ? '' : make('button', { type: 'button', class: 'minimize', onclick: () => command('/api/minimize', { name: crash.id }) }, 'Minimise'),
        make('button', { type: 'button', onclick: () => replay(crash.id) }, 'Replay 5 times'), exporter(crash.id)),
      make('details', {}, make('summary', {}, 'Stack'), make('pre', { tabindex: '0' }, crash.stack)));
  }));
}

const replay = (trace) => command('/api/replay', { trace, runs: 5 }, (result) => {
  const crash = result.reproduced ? `It reproduces in ${result.reproduced.successes} of ${result.reproduced.runs} runs. ` : '';
  byId('doing').textContent = '';
  complain(`${crash}The trace was followed in ${result.faithful.successes} of ${result.faithful.runs} runs.`);
});

function exporter(trace) {
  const select = make('select', { 'aria-label': 'Format of the export' }, ...formats.map((format) => make('option', { value: format }, format)));
  const button = make('button', { type: 'button', class: 'export', onclick: () => exportAs(trace, select.value) }, 'Export as');
  return make('span', {}, button, ' ', select);
}

let formats = [];
async function exportAs(trace, format) {
  try {
    const { text, left_out: leftOut } = await post('/api/export', { trace, format });
    byId('export-title').textContent = `Export as ${format}`;
    byId('export-text').textContent = text;
    byId('export-left-out').hidden = !leftOut.length;
    byId('export-left-out').textContent = leftOut.length ? `Left out: ${leftOut.join('; ')}` : '';
    byId('export-dialog').showModal();
  } catch (error) { complain(error.message); }
}
byId('export-close').addEventListener('click', () => byId('export-dialog').close());
byId('export-copy').addEventListener('click', () => navigator.clipboard.writeText(byId('export-text').textContent).catch(() => complain('This browser does not allow copying')));
byId('export-save').addEventListener('click', () => {
  const link = make('a', { href: URL.createObjectURL(new Blob([byId('export-text').textContent])), download: 'retap-export.txt' });
  link.click();
});

byId('save-trace').addEventListener('submit', (event) => {
  event.preventDefault();
  command('/api/trace', { name: event.target.elements.name.value });
});
byId('save-state').addEventListener('submit', (event) => {
  event.preventDefault();
  command('/api/save', { name: event.target.elements.name.value });
});
byId('explore').addEventListener('submit', (event) => {
  event.preventDefault();
  command('/api/explore', { events: Number(event.target.elements.events.value) }, (part) => {
    const covered = part.covered == null ? '' : `, ${part.covered.toFixed(1)}% covered`;
    byId('explored').textContent = `${count(part.events, 'event')}, ${count(part.new_states, 'new state')} of ${group(part.states)}${covered}, ${part.new_crashes.length} new crashes${part.interrupted ? ' (stopped)' : ''}.`;
  });
});
