'use strict';
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const chart = document.getElementById('chart'), svg = chart.querySelector('svg'), reading = document.getElementById('reading');
  const rows = all('#series tbody tr'), names = all('#series th').map(h => h.textContent), xs = rows.map(r => +r.dataset.x);
  const gaps = all('[data-gap]');

  // The timeline's cursor.
  const cursor = document.createElementNS(svg.namespaceURI, 'path');
  cursor.setAttribute('class', 'cursor');
  svg.append(cursor);
  let at = rows.length - 1;
  const show = i => {
    if (!rows.length) return;
    at = Math.max(0, Math.min(rows.length - 1, i));
    cursor.setAttribute('d', `M${xs[at]} 0V${svg.viewBox.baseVal.height - 22}`);
    const text = [...rows[at].cells].map((c, k) => k ? `${names[k]} ${c.textContent}` : c.textContent).join(' · ');
    reading.textContent = text;
    chart.setAttribute('aria-valuenow', at);
    chart.setAttribute('aria-valuetext', text);
  };
  const nearest = x => xs.reduce((best, v, i) => Math.abs(v - x) < Math.abs(xs[best] - x) ? i : best, 0);
  svg.addEventListener('pointermove', e =>
    show(nearest(new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse()).x)));
  const moves = { ArrowLeft: -1, ArrowRight: 1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9 };
  chart.addEventListener('keydown', e => {
    if (e.target !== chart) return;
    if (e.key in moves) show(at + moves[e.key]);
    else if (e.key === 'Enter') {
      const marks = all('a', svg).filter(a => +a.firstElementChild.getAttribute('x') >= xs[at] - 4);
      if (marks.length) go(document.getElementById(marks[0].getAttribute('href').slice(1)));
    } else return;
    e.preventDefault();
  });

  // One stop of the tab key for all waits; arrows step through them.
  const go = gap => {
    if (!gap) return;
    const folded = gap.closest('details');
    if (folded) folded.open = true;
    gaps.forEach(g => g.tabIndex = g === gap ? 0 : -1);
    gap.focus();
    gap.scrollIntoView({ block: 'nearest' });
  };
  if (gaps.length) gaps[0].tabIndex = 0;
  const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, Home: -1e9, End: 1e9 };
  addEventListener('keydown', e => {
    const i = gaps.indexOf(e.target);
    if (i < 0 || !(e.key in steps) || e.ctrlKey || e.metaKey || e.altKey) return;
    go(gaps[Math.max(0, Math.min(gaps.length - 1, i + steps[e.key]))]);
    e.preventDefault();
  });
  const follow = () => { if (/^#gap-\d+$/.test(location.hash)) go(document.getElementById(location.hash.slice(1))); };
  addEventListener('hashchange', follow);
  follow();

  // Paper has nothing to unfold.
  let opened = [];
  addEventListener('beforeprint', () => { opened = all('details:not([open],#series,#moves)'); opened.forEach(d => d.open = true); });
  addEventListener('afterprint', () => opened.forEach(d => d.open = false));
})();
