/** How far what is shown was scrolled when the session ended, by name; for one address, in memory. */
let kept: { href: string; tops: Map<string, number> } | null = null;
/** In milliseconds: who has waited longer for the page is no longer at the same place. */
const COMES_WITHIN = 10_000;

const here = (): string => location.pathname + location.search;

/** Remembers the scrolling of every element with `data-scroller` until the same address is shown again. */
export const keepScroll = (): void => {
  const scrolled = [...document.querySelectorAll<HTMLElement>('[data-scroller]')];
  kept = { href: here(), tops: new Map(scrolled.map((at) => [at.dataset.scroller ?? '', at.scrollTop])) };
};
export const forgetScroll = (): void => {
  kept = null;
};

/** A ref that scrolls an element with `data-scroller={name}` to where it was, as soon as enough stands in it. */
export const keptScroll =
  (name: string) =>
  (element: HTMLElement | null): void => {
    const top = kept?.href === here() ? kept.tops.get(name) : undefined;
    if (!element || !top) return;
    kept?.tops.delete(name);
    const arrived = (): boolean => {
      element.scrollTop = top;
      return element.scrollTop >= top - 1;
    };
    if (arrived()) return;
    const filled = new MutationObserver(() => {
      if (arrived()) filled.disconnect();
    });
    filled.observe(element, { childList: true, subtree: true });
    setTimeout(() => filled.disconnect(), COMES_WITHIN);
  };
