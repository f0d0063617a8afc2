// The timeline: one dot for each step, from left to right, as high as the number of the state it led to.
const timeline = (() => {
  const canvas = byId('timeline-picture');
  if (!canvas || !data) return null;
  const steps = data.steps.length / 3;
  const most = Math.max(1, data.states.length);
  const [left, right, top, bottom] = [44, 12, 18, 24];
  // The number of events up to each step: restarts and returns are no events.
  const events = new Uint32Array(steps);
  for (let at = 0, sum = 0; at < steps; at += 1) {
    if (!(data.steps[at * 3 + 2] & (MARKS.restart | MARKS.back))) sum += 1;
    events[at] = sum;
  }
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  let area = { width: 0, height: 0 };
  const x = (at) => left + ((area.width - left - right) * at) / Math.max(1, steps - 1);
  const y = (state) => area.height - bottom - ((area.height - top - bottom) * state) / most;

  function paint() {
    const box = canvas.getBoundingClientRect();
    const scale = window.devicePixelRatio || 1;
    area = { width: box.width, height: box.height };
    canvas.width = box.width * scale;
    canvas.height = box.height * scale;
    const pen = canvas.getContext('2d');
    pen.scale(scale, scale);
    pen.clearRect(0, 0, area.width, area.height);
    pen.font = '12px system-ui, sans-serif';
    pen.fillStyle = colour('--quiet');
    pen.textAlign = 'right';
    for (const part of [0, 0.5, 1]) {
      pen.fillText(group(Math.round(most * part)), left - 8, y(most * part) + 4);
      pen.fillRect(left, y(most * part), area.width - left - right, 0.3);
    }
    pen.fillText(`${group(events[steps - 1] || 0)} events`, area.width - right, area.height - 6);
    pen.textAlign = 'left';
    pen.fillText('states', left - 36, area.height - 6);
    const dot = 1.6;
    const layers = { stay: [], fresh: [], crash: [] };
    pen.lineWidth = 1;
    let before = 0;
    for (let at = 0; at < steps; at += 1) {
      const state = data.steps[at * 3 + 1];
      const mark = data.steps[at * 3 + 2];
      if (mark & (MARKS.back | MARKS.restart) && at > 0) {
        pen.strokeStyle = colour(mark & MARKS.back ? '--s1' : '--s2');
        pen.globalAlpha = steps > 5000 ? 0.25 : 0.6;
        pen.beginPath();
        pen.moveTo(x(at), y(before));
        pen.lineTo(x(at), y(state));
        pen.stroke();
      }
      if (mark & MARKS.crash) layers.crash.push(at);
      else if (mark & MARKS.state) layers.fresh.push(at);
      else if (state) layers.stay.push(at);
      before = state || before;
    }
    const points = (list, name, size, alpha) => {
      pen.fillStyle = colour(name);
      pen.globalAlpha = alpha;
      for (const at of list) pen.fillRect(x(at) - size / 2, y(data.steps[at * 3 + 1]) - size / 2, size, size);
    };
    points(layers.stay, '--quiet', dot, steps > 20000 ? 0.25 : 0.6);
    points(layers.fresh, '--s0', 3.4, 1);
    pen.fillStyle = colour('--red');
    pen.globalAlpha = 1;
    for (const at of layers.crash) { pen.beginPath(); pen.arc(x(at), top - 8, 3.5, 0, 7); pen.fill(); }
  }

  const nearest = (event) => {
    const box = canvas.getBoundingClientRect();
    const part = (event.clientX - box.left - left) / Math.max(1, box.width - left - right);
    return Math.min(steps - 1, Math.max(0, Math.round(part * (steps - 1))));
  };
  canvas.addEventListener('pointermove', (event) => {
    const at = nearest(event);
    const state = stateInfo(data.steps[at * 3 + 1]);
    byId('timeline-note').replaceChildren(
      `Event ${group(events[at])}: `, isolated(data.sentences[data.steps[at * 3]]), state ? ` → ${stateName(state)}` : '');
  });
  whenNear(canvas, () => {
    paint();
    window.addEventListener('resize', debounce(paint));
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
  });
  return { canvas, steps, events, nearest };
})();
