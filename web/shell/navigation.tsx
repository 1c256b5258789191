import { useLocation, useNavigate } from '../router/hooks.ts';
import { Link } from '../router/link.tsx';
import { isWithin } from '../router/paths.ts';
import { profilePath, whatsNewPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { LAUNCHER_ID } from '../support/launcher.ts';
import { IconArrowLeft, IconChevronDown, IconNews } from '../ui/icons.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { ActionIcon, UnstyledButton } from '../ui/plain/button.tsx';
import { useWidth } from '../ui/use-width.ts';
import classes from './navigation.module.css';
import { type Page, usePages } from './pages.ts';
import { useWidgetHere } from './use-widget-here.ts';

/** Opens the product-updates widget or, where the page has none, our own page. */
const ProductUpdates = () => {
  const { user } = useSession();
  const widget = useWidgetHere();
  const inside = (
    <>
      <IconNews size={18} stroke={1.75} aria-hidden />
      <span className={classes.label}>What’s new</span>
    </>
  );
  return widget ? (
    <UnstyledButton id={LAUNCHER_ID} className={classes.link}>
      {inside}
    </UnstyledButton>
  ) : (
    <Link to={whatsNewPath(user)} id={LAUNCHER_ID} className={classes.link} title="What’s new">
      {inside}
    </Link>
  );
};

/** How many pages a phone's bar has beside "More". */
const ON_PHONE = 4;

/** The pages for which a phone's bar has no room. */
const More = ({ pages }: { pages: Page[] }) => {
  const { user } = useSession();
  const navigate = useNavigate();
  const more: Pick<Page, 'to' | 'label' | 'also'>[] = [
    ...pages,
    { to: whatsNewPath(user), label: 'What’s new' },
    { to: profilePath(user), label: 'Your profile' },
  ];
  const isActive = useLocation({
    select: ({ pathname }) => more.some(({ to, also = [] }) => [to, ...also].some((page) => isWithin(pathname, page))),
  });
  return (
    <li>
      <Menu
        label="More pages"
        trigger={(button) => (
          <UnstyledButton
            {...button}
            {...(isActive && { 'aria-current': true, 'data-status': 'active' })}
            className={`${classes.link} ${classes.more}`}
          >
            <IconChevronDown size={18} stroke={1.75} aria-hidden />
            <span className={classes.label}>More</span>
          </UnstyledButton>
        )}
      >
        {more.map(({ to, label }) => (
          <MenuItem key={to} choose={() => void navigate({ to })}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </li>
  );
};

/** The pages that the user may open: on the left, or at the bottom on a phone. */
export const Navigation = ({ collapsed, toggle }: { collapsed: boolean; toggle: () => void }) => {
  const pages = usePages();
  const onPhone = useWidth() === 'narrow';
  return (
    <nav className={classes.nav} aria-label="Pages" data-collapsed={collapsed || undefined}>
      <ul>
        {(onPhone ? pages.slice(0, ON_PHONE) : pages).map(
          ({ to, also, label, short, Icon, count = null, countWord }) => (
            <li key={to}>
              <Link
                to={to}
                also={also}
                className={classes.link}
                exact={to === '/hospital'}
                title={collapsed ? label : undefined}
              >
                <Icon size={18} stroke={1.75} aria-hidden />
                <span className={classes.label}>{(onPhone && short) || label}</span>
                {count !== null && (
                  <span className={classes.count}>
                    {count}
                    <span className={classes.countWord}> {countWord}</span>
                  </span>
                )}
              </Link>
            </li>
          ),
        )}
        {onPhone && <More pages={pages.slice(ON_PHONE)} />}
      </ul>
      <div className={classes.foot}>
        <ProductUpdates />
        <ActionIcon
          className={classes.collapse}
          aria-label={collapsed ? 'Expand sidebar' : 'Collapse sidebar'}
          aria-expanded={!collapsed}
          onClick={toggle}
        >
          <IconArrowLeft size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </div>
    </nav>
  );
};
