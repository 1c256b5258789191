/**
 * Keeps the focus on the page. A browser drops it when the element that has it is removed or disabled, and a keyboard or screen reader
 * then starts over at the top of the page.
 */
const REGIONS = 'section, form, dialog, [role="dialog"], [role="group"], [role="region"], [tabindex="-1"], main';

/** Returns an element and what encloses it, from the inside to the outside. */
export const pathOf = (element: Element): Element[] => {
  const path: Element[] = [];
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) path.push(at);
  return path;
};

const canHaveFocus = (element: Element): boolean => element.isConnected && !element.matches(':disabled, [inert] *');

/** Focuses the first element of a path that is still there, or else the nearest region around it. */
export const focusAlong = ([first, ...around]: Element[]): void => {
  if (first instanceof HTMLElement && canHaveFocus(first)) return first.focus();
  const region =
    around.find((element) => canHaveFocus(element) && element.matches(REGIONS)) ?? document.querySelector('main');
  if (!(region instanceof HTMLElement)) return;
  if (!region.hasAttribute('tabindex')) region.tabIndex = -1;
  region.focus({ preventScroll: true });
};

/** Returns the focus, when the element that had it was removed, to what is around it; or to the element itself once it is enabled again. */
export const keepFocus = (): void => {
  let path: Element[] = [];
  let frame = 0;
  const check = (): void => {
    frame = 0;
    const [last] = path;
    if (!last || (document.activeElement !== document.body && document.activeElement !== null)) return;
    // A button that is only disabled while it works gets the focus back afterwards.
    if (last.isConnected && !canHaveFocus(last)) return;
    // On another page, the focus begins at the top, where it can skip to the content.
    if (path.some((element) => element.matches('main') && !element.isConnected)) return;
    focusAlong(path);
  };
  document.addEventListener('focusin', ({ target }) => {
    path = target instanceof Element ? pathOf(target) : [];
  });
  // A click on the page itself takes the focus away on purpose.
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && !target.closest('a, button, input, select, textarea, label, [tabindex]'))
      path = [];
  });
  // In the next frame: what is put in place of the removed element may take the focus itself.
  new MutationObserver(() => {
    if (path.length > 0 && frame === 0 && (document.activeElement ?? document.body) === document.body)
      frame = requestAnimationFrame(check);
  }).observe(document.documentElement, { childList: true, subtree: true, attributeFilter: ['disabled'] });
};
