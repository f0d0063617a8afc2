// Searches, sorts and filters the cards of crashes.
(() => {
  const search = byId('crash-search');
  if (!search) return;
  const list = byId('crash-cards');
  const cards = [...list.children];
  const words = new Map(cards.map((card) => [card, card.textContent.toLowerCase()]));
  const number = (card, name) => Number(card.dataset[name]);
  const orders = {
    events: (a, b) => number(a, 'events') - number(b, 'events'),
    first: (a, b) => number(a, 'first') - number(b, 'first'),
    seen: (a, b) => number(b, 'seen') - number(a, 'seen'),
    rate: (a, b) => number(b, 'rate') - number(a, 'rate'),
    name: (a, b) => a.dataset.name.localeCompare(b.dataset.name),
  };
  const filters = {
    all: () => true,
    own: (card) => card.dataset.own === 'true',
    high: (card) => card.dataset.confidence === 'high',
    low: (card) => card.dataset.confidence === 'low',
    flaky: (card) => card.dataset.flaky === 'true',
  };
  const apply = () => {
    const wanted = search.value.toLowerCase().trim();
    const fits = filters[byId('crash-filter').value];
    list.append(...cards.slice().sort(orders[byId('crash-sort').value]));
    let shown = 0;
    for (const card of cards) {
      card.hidden = !(fits(card) && words.get(card).includes(wanted));
      shown += card.hidden ? 0 : 1;
    }
    byId('no-match').hidden = shown > 0;
    say(`${count(shown, 'crash').replace('crashs', 'crashes')} shown`);
  };
  search.addEventListener('input', debounce(apply));
  byId('crash-sort').addEventListener('change', apply);
  byId('crash-filter').addEventListener('change', apply);
})();
