/** Scroll positions when the session ended, by the name of the element, for one address. */
let kept: { href: string; tops: Map<string, number> } | null = null;
/** A page that takes longer to fill isn't scrolled any more. In milliseconds. */
const RESTORE_WITHIN = 10_000;

/** The address whose positions were restored. */
let restored: string | null = null;

const here = (): string => location.pathname + location.search;

/** Saves the scroll position of every element with `data-scroller` until the same address is shown again. */
export const keepScroll = (): void => {
  const elements = [...document.querySelectorAll<HTMLElement>('[data-scroller]')];
  kept = {
    href: here(),
    tops: new Map(elements.map((element) => [element.dataset.scroller ?? '', element.scrollTop])),
  };
};
export const forgetScroll = (): void => {
  kept = null;
  restored = null;
};

/** Whether this address was scrolled back to its positions, which the focus must not change then. */
export const isScrolledBack = (): boolean => restored === here();

/** Returns a ref that scrolls an element with `data-scroller={name}` back to its position, once it has enough content. */
export const keptScroll =
  (name: string) =>
  (element: HTMLElement | null): void => {
    const top = kept?.href === here() ? kept.tops.get(name) : undefined;
    if (!element || !top) return;
    restored = here();
    kept?.tops.delete(name);
    const scrolled = (): boolean => {
      element.scrollTop = top;
      return element.scrollTop >= top - 1;
    };
    if (scrolled()) return;
    const filled = new MutationObserver(() => {
      if (scrolled()) filled.disconnect();
    });
    filled.observe(element, { childList: true, subtree: true });
    setTimeout(() => filled.disconnect(), RESTORE_WITHIN);
  };
