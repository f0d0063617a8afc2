// The list of contents shows which section is in view.
(() => {
  const links = new Map();
  for (const link of document.querySelectorAll('.contents a')) {
    const section = byId(link.getAttribute('href').slice(1));
    if (section) links.set(section, link);
  }
  if (!links.size || !('IntersectionObserver' in window)) return;
  const visible = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) visible[entry.isIntersecting ? 'add' : 'delete'](entry.target);
    let current = null;
    for (const [section, link] of links) {
      if (!current && visible.has(section)) current = link;
      link.removeAttribute('aria-current');
    }
    if (current) current.setAttribute('aria-current', 'true');
  }, { rootMargin: '-10% 0px -60% 0px' });
  for (const section of links.keys()) observer.observe(section);
})();
