import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react';
import { useLocation, useRouter } from './hooks.ts';
import { isWithin } from './paths.ts';
import type { Destination } from './routes.ts';

export interface LinkProps
  extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>,
    Pick<Destination, 'to' | 'search'> {
  /** What the entry of the history keeps, or a function that returns it when the link is followed. */
  state?: Destination['state'] | (() => Destination['state']);
  /** Whether only the page itself marks the link as the current one; otherwise, pages below it do so too. */
  exact?: boolean;
  /** Further pages that mark the link as the current one, with those below them. */
  also?: readonly string[];
  /** `intent`: loads the page as soon as someone points at the link. */
  preload?: 'intent';
  ref?: Ref<HTMLAnchorElement>;
}

/** A click that the browser handles itself, such as one for a new tab. */
const isBrowsers = (event: MouseEvent<HTMLAnchorElement>, target: string | undefined): boolean =>
  event.metaKey ||
  event.altKey ||
  event.ctrlKey ||
  event.shiftKey ||
  event.button !== 0 ||
  (target !== undefined && target !== '_self');

/** A link to a page. The current one is marked. */
export const Link = ({
  to,
  search,
  state,
  exact = false,
  also = [],
  preload,
  onClick,
  children,
  ...props
}: LinkProps) => {
  const router = useRouter();
  const destination = { to, ...(search && { search }) };
  const { href, pathname } = router.locate(destination);
  const isActive = useLocation({
    select: ({ pathname: at }) =>
      at === pathname || (exact ? also : [pathname, ...also]).some((page) => isWithin(at, page)),
  });
  const load = preload && (() => router.preload(destination));
  return (
    <a
      {...(isActive && { 'aria-current': 'page', 'data-status': 'active' })}
      {...(load && { onMouseEnter: load, onFocus: load, onTouchStart: load })}
      {...props}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || isBrowsers(event, props.target) || props.download !== undefined) return;
        event.preventDefault();
        const kept = typeof state === 'function' ? state() : state;
        void router.navigate({ ...destination, ...(kept && { state: kept }) });
      }}
    >
      {children}
    </a>
  );
};
