import { Menu, UnstyledButton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Me } from '#contract/accounts.ts';
import { call } from '../api/call.ts';
import { endSession } from '../session/end-session.ts';
import { inboxPath, useSession } from '../session/session.ts';
import { switchTeam } from '../session/switch-team.ts';
import { IconActivity, IconCheck, IconChevronDown, IconKeyboard, IconLogout, IconUser } from '../ui/icons.ts';
import { showToast } from '../ui/toasts.tsx';
import { ColorSchemeItems, ColorSchemeMenu } from './color-scheme.tsx';
import { LiveChip } from './live-chip.tsx';
import classes from './shell.module.css';

const TeamSwitcher = ({ me }: { me: Me }) => {
  const { team } = useSession();
  const navigate = useNavigate();
  const teams = Object.values(me.user.teams);
  if (teams.length < 2)
    return (
      <span className={classes.team}>
        <span>{team.name}</span>
      </span>
    );
  const choose = async (teamId: string): Promise<void> => {
    try {
      await switchTeam(me, teamId);
      await navigate({ to: inboxPath(me.user) });
    } catch {
      showToast({ type: 'warning', message: 'The team was not changed. Please try again.' });
    }
  };
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes.team} aria-label={`Team ${team.name}: change`}>
          <span>{team.name}</span>
          <IconChevronDown size={16} stroke={1.75} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Teams</Menu.Label>
        {teams.map(({ id, name, organization }) => (
          <Menu.Item
            key={id}
            role="menuitemradio"
            aria-checked={id === team.id}
            leftSection={id === team.id ? <IconCheck size={16} aria-hidden /> : <span style={{ width: 16 }} />}
            onClick={() => void choose(id)}
          >
            {name} · {organization.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

const UserMenu = ({ openShortcuts }: { openShortcuts: () => void }) => {
  const { user } = useSession();
  const name = `${user.firstName} ${user.lastName}`;
  const signOut = async (): Promise<void> => {
    try {
      await call('POST /api/logout');
    } catch {
      showToast({
        type: 'warning',
        message: 'You are still signed in: the server could not be reached. Please try again.',
      });
      return;
    }
    endSession({ stay: false });
  };
  return (
    <Menu position="bottom-end" shadow="md" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.team} aria-label={`Account of ${name}`}>
          <IconUser size={18} stroke={1.75} aria-hidden />
          <span className={classes.desktop}>
            {user.firstName.slice(0, 1)}. {user.lastName}
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name}
          <br />
          {user.username}
        </Menu.Label>
        <Menu.Item leftSection={<IconKeyboard size={16} stroke={1.75} aria-hidden />} onClick={openShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <ColorSchemeItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.75} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

/** Product, team, liveness, colours and account. */
export const Header = ({ me, openShortcuts }: { me: Me; openShortcuts: () => void }) => (
  <header className={classes.header}>
    <Link to="/" className={classes.product}>
      <IconActivity size={20} stroke={2} aria-hidden />
      <span className={classes.productName}>Tidings</span>
    </Link>
    <TeamSwitcher me={me} />
    <span className={classes.space} />
    <LiveChip />
    <span className={classes.desktop}>
      <ColorSchemeMenu />
    </span>
    <UserMenu openShortcuts={openShortcuts} />
  </header>
);
