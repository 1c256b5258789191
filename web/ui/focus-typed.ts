let typed = '';
let typedAt = 0;
/** Focuses the next of the items that begins with what was typed within a second, as menus of operating systems do. */
export const focusTyped = (all: HTMLElement[], key: string): void => {
  if (key === ' ') return;
  typed = Date.now() - typedAt < 1000 ? typed + key : key;
  typedAt = Date.now();
  const from = all.indexOf(document.activeElement as HTMLElement) + (typed.length > 1 ? 0 : 1);
  [...all.slice(from), ...all.slice(0, from)]
    .find((item) => item.textContent.toLowerCase().startsWith(typed.toLowerCase()))
    ?.focus();
};
