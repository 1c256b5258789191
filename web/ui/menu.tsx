import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { IconCheck } from './icons.ts';
import classes from './menu.module.css';

interface MenuProps {
  /** Renders the button that opens the menu, with the given attributes. */
  trigger: (button: { popoverTarget: string; 'aria-haspopup': 'menu'; 'aria-expanded': boolean }) => ReactNode;
  label: string;
  /** Opens the menu from elsewhere, such as a shortcut; `onToggle` gets every change. */
  opened?: boolean;
  onToggle?: (opened: boolean) => void;
  /** Above the items, such as a field that narrows them. Outside the menu's role, which has items only. */
  head?: ReactNode;
  children: ReactNode;
}

const items = (menu: HTMLElement | null): HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? []),
];

/** Places the menu below its button, or above it where there is more room, and inside the window, also when it grows later. */
const place = (menu: HTMLElement): void => {
  const button = document.querySelector(`[popovertarget="${menu.id}"]`)?.getBoundingClientRect();
  if (!button) return;
  const left = Math.max(8, Math.min(button.left, window.innerWidth - menu.offsetWidth - 8));
  const below = window.innerHeight - button.bottom;
  const isBelow = menu.offsetHeight + 12 < below || below > button.top;
  menu.style.inset = isBelow
    ? `${button.bottom + 4}px auto auto ${left}px`
    : `auto auto ${window.innerHeight - button.top + 4}px ${left}px`;
  menu.style.maxHeight = `${Math.min((isBelow ? below : button.top) - 12, 520)}px`;
};

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * A menu on the browser's own popover: it is above everything and closes on Escape or a click elsewhere, without adding a library to
 * the first page.
 */
export const Menu = ({ trigger, label, opened, onToggle, head, children }: MenuProps) => {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const openedFrom = useRef<Element | null>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (opened !== undefined && opened !== open) menu.current?.togglePopover?.(opened);
  }, [opened, open]);
  // The content may be a part of the page that loads once the menu opens.
  const isEmpty = !children;
  useEffect(() => {
    if (!open || isEmpty || !menu.current) return;
    place(menu.current);
    const all = items(menu.current);
    (all.find((item) => item.ariaChecked === 'true') ?? all[0])?.focus();
  }, [open, isEmpty]);
  const change = (to: boolean): void => {
    setOpen(to);
    onToggle?.(to);
  };
  /** The items are removed with the menu: the focus goes back to where it was before. */
  const returnFocus = (): void => {
    if (menu.current?.contains(document.activeElement) && openedFrom.current instanceof HTMLElement)
      openedFrom.current.focus();
  };
  const moveFocus = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key === 'Tab') menu.current?.hidePopover();
    // What is typed goes into the field above the items.
    if (/^\S$/.test(key) && !ctrlKey && !metaKey && !altKey) menu.current?.querySelector('input')?.focus();
    const step = STEPS[key];
    if (!step) return;
    event.preventDefault();
    const all = items(menu.current);
    all[step(all.indexOf(document.activeElement as HTMLElement), all.length)]?.focus();
  };
  return (
    <>
      {trigger({ popoverTarget: id, 'aria-haspopup': 'menu', 'aria-expanded': open })}
      <div
        ref={menu}
        id={id}
        className={classes.menu}
        popover="auto"
        // Closing counts from its beginning: a key pressed before the event that follows must find no menu, or it would be ignored.
        onBeforeToggle={({ newState }) => {
          if (newState === 'open') openedFrom.current = document.activeElement;
          else {
            returnFocus();
            change(false);
          }
        }}
        onToggle={({ newState }) => newState === 'open' && change(true)}
      >
        {open && head}
        {open && (
          <div
            role="menu"
            aria-label={label}
            // A long menu scrolls, and what scrolls must be reachable by keyboard.
            tabIndex={0}
            onKeyDown={moveFocus}
            onClick={() => menu.current?.hidePopover()}
          >
            {children}
          </div>
        )}
      </div>
    </>
  );
};

/** An action; with `checked`, one of several alternatives. */
export const MenuItem = ({
  icon,
  checked,
  choose,
  children,
}: {
  icon?: ReactNode;
  checked?: boolean;
  choose: () => void;
  children: ReactNode;
}) => (
  <button
    type="button"
    className={classes.item}
    role={checked === undefined ? 'menuitem' : 'menuitemradio'}
    aria-checked={checked}
    tabIndex={-1}
    onClick={choose}
  >
    {icon}
    <span className={classes.words}>{children}</span>
    {checked && <IconCheck size={16} stroke={1.75} aria-hidden />}
  </button>
);

/** A heading within a menu. */
export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <div role="presentation" className={classes.label}>
    {children}
  </div>
);
