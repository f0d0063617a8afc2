// Opens the page, keeps it up to date, and survives a session that ends.
async function refresh() {
  const details = await get('/api/details');
  view.here = details.here;
  byId('title').textContent = details.package;
  byId('facts').textContent = `${details.version} on ${details.device}`;
  document.title = `${details.package} · retap`;
  byId('waiting').hidden = true;
  byId('studio').hidden = false;
  byId('chooser').hidden = true;
  byId('report').hidden = false;
  byId('report').href = address('/report');
  showWidgets();
  showSteps(details);
  showStates(details);
  showCrashes(details);
  await showScreen();
}

async function begin() {
  const session = await get('/api/session');
  formats = session.formats;
  if (session.open) {
    await refresh();
    return;
  }
  byId('waiting').hidden = true;
  byId('studio').hidden = true;
  byId('chooser').hidden = false;
  byId('no-choices').hidden = session.choices.length > 0;
  byId('choices').replaceChildren(...session.choices.map((choice, at) => make('li', {},
    make('button', { type: 'button', onclick: () => open(at) }, isolated(choice.title), make('small', {}, isolated(choice.path))))));
}

async function open(choice) {
  try {
    await post('/api/open', { choice });
    await refresh();
  } catch (error) {
    complain(error.message);
    await begin();
  }
}

/** The newest remark; null until retap has said what was there before the page. */
let lastRemark = null;

function listen() {
  const events = new EventSource(address('/api/events'));
  events.onmessage = (event) => {
    const report = JSON.parse(event.data);
    const part = report.length ? ` (${group(report.position)} of ${group(report.length)})` : '';
    byId('doing').textContent = report.doing ? report.doing + (report.doing.includes(' of ') ? '' : part) : '';
    byId('stop').hidden = !report.doing;
    if (lastRemark !== null && report.remarks.length && report.remarks.at(-1) !== lastRemark) complain(report.remarks.at(-1));
    lastRemark = report.remarks.at(-1) || '';
    byId('remarks').replaceChildren(...report.remarks.slice(-30).map((remark) => make('li', {}, isolated(remark))));
  };
  events.onerror = () => { byId('doing').textContent = 'retap does not answer'; };
}

byId('stop').addEventListener('click', () => fetch(address('/api/stop'), { method: 'POST', body: '{}' }));
listen();
begin().catch((error) => {
  complain(error.message);
  begin().catch(() => {});
});
