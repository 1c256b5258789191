// What runs while the other scripts are loading. A file of its own because the content security policy forbids inline scripts.

// Before the first paint, so that a dark page never flashes white.
(() => {
  let chosen = 'auto';
  let full = false;
  try {
    full = sessionStorage.getItem('tidings-full-app') !== null;
    chosen = localStorage.getItem('mantine-color-scheme-value') || 'auto';
  } catch {
    // Storage is blocked (embedded, private window): the system's scheme applies.
  }
  // Inside an EHR the pages are light (web/session/ehr-frame.ts).
  if (window.self !== window.top || (location.pathname.match(/^\/ehr(\/|$)/) && !full)) chosen = 'light';
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

// The first format of a page takes a hundred times as long as the next, because the browser reads its tables of languages and zones.
new Intl.DateTimeFormat('en-US').format();
