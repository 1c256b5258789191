import { useState } from 'react';
import type { Me } from '#contract/accounts.ts';
import { useNavigate } from '../router/hooks.ts';
import { Link } from '../router/link.tsx';
import { startPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { switchTeam } from '../session/switch-team.ts';
import { IconActivity, IconChevronDown, IconSearch, IconUser } from '../ui/icons.ts';
import { LONGEST_LIST } from '../ui/long-lists.ts';
import { LongSelect } from '../ui/long-select.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { UnstyledButton } from '../ui/plain/button.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import classes from './header.module.css';
import { LiveChip } from './live-chip.tsx';

/** Also in command-words.ts, which loads later. */
const PALETTE_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

const TeamSwitcher = ({ me }: { me: Me }) => {
  const { team } = useSession();
  const navigate = useNavigate();
  const teams = Object.values(me.user.teams);
  if (teams.length < 2)
    return (
      <span className={classes.team} title={team.name}>
        <span>{team.name}</span>
      </span>
    );
  const choose = async (teamId: string): Promise<void> => {
    try {
      const held = me.user.teams[teamId]?.permissions ?? [];
      const start = startPath({ user: me.user, can: (flag) => held.includes(flag) });
      const to = location.pathname.endsWith('/case-management') ? '/' : start;
      const open = () => navigate({ to });
      await switchTeam(me, teamId, open);
      // Again: what may be opened depends on the team.
      await open();
    } catch {
      showToast({ type: 'warning', message: "Couldn't switch teams. Try again." });
    }
  };
  const names = teams.map(({ id, name, organization }) => ({ value: id, label: `${name} · ${organization.name}` }));
  if (names.length > LONGEST_LIST)
    return <LongSelect aria-label="Team" value={team.id} choose={(id) => void choose(id)} data={names} />;
  return (
    <Menu
      label="Teams"
      trigger={(button) => (
        <UnstyledButton
          {...button}
          className={classes.team}
          title={team.name}
          aria-label={`Team ${team.name}. Switch team`}
        >
          <span>{team.name}</span>
          <IconChevronDown size={16} stroke={1.75} aria-hidden />
        </UnstyledButton>
      )}
    >
      {names.map(({ value, label }) => (
        <MenuItem key={value} checked={value === team.id} choose={() => void choose(value)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
};

const later = () => import('./later-parts.ts');
const loadColorScheme = async () => (await later()).loadColorScheme();

/** After the content of the page. Its place is kept. */
const ThemeButton = () => {
  const ColorSchemeMenu = useLoaded(loadColorScheme, false);
  return <span className={`${classes.desktop} ${classes.theme}`}>{ColorSchemeMenu && <ColorSchemeMenu />}</span>;
};

const loadItems = async () => (await later()).loadItems();

const UserMenu = ({ openShortcuts }: { openShortcuts: () => void }) => {
  const { user } = useSession();
  const [open, setOpen] = useState(false);
  const AccountItems = useLoaded(loadItems, open);
  return (
    <Menu
      label="Account"
      onToggle={setOpen}
      trigger={(button) => (
        <UnstyledButton
          {...button}
          className={`${classes.team} ${classes.account}`}
          aria-label={`Account of ${user.firstName} ${user.lastName}`}
        >
          <IconUser size={18} stroke={1.75} aria-hidden />
          <span className={classes.desktop}>
            {user.firstName.slice(0, 1)}. {user.lastName}
          </span>
        </UnstyledButton>
      )}
    >
      {AccountItems && <AccountItems openShortcuts={openShortcuts} />}
    </Menu>
  );
};

/** Product, team, search, live updates, theme and account. */
export const Header = ({
  me,
  openPalette,
  openShortcuts,
}: {
  me: Me;
  openPalette: () => void;
  openShortcuts: () => void;
}) => (
  <header className={classes.header}>
    <Link to="/" className={classes.product}>
      <IconActivity size={20} stroke={2} aria-hidden />
      <span className={classes.productName}>Tidings</span>
    </Link>
    <TeamSwitcher me={me} />
    <span className={classes.space}>
      <UnstyledButton className={classes.search} aria-label={`Search. ${PALETTE_KEYS}`} onClick={openPalette}>
        <IconSearch size={18} stroke={1.75} aria-hidden />
        <span className={classes.desktop}>Search patients, pages, actions</span>
        <kbd className={classes.desktop}>{PALETTE_KEYS}</kbd>
      </UnstyledButton>
    </span>
    <LiveChip />
    <ThemeButton />
    <UserMenu openShortcuts={openShortcuts} />
  </header>
);
