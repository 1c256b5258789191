import { experienceBase } from '#contract/experiences.ts';
import { reasonOf } from '../api/error.ts';
import { useRouter } from '../router/hooks.ts';
import { profilePath, whatsNewPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { signOut } from '../session/sign-out.ts';
import { IconChartHistogram, IconKeyboard, IconLogout, IconNews, IconUser } from '../ui/icons.ts';
import { MenuItem, MenuLabel } from '../ui/menu.tsx';
import { showToast } from '../ui/toasts.tsx';
import { ColorSchemeItems } from './color-scheme.tsx';

const leave = async (): Promise<void> => {
  try {
    await signOut();
  } catch (error) {
    showToast({ type: 'warning', message: `You're still signed in. ${reasonOf(error)}` });
  }
};

/** The items of the account menu: who is signed in, their pages, and the end of the session. */
export const AccountItems = ({ openShortcuts }: { openShortcuts: () => void }) => {
  const { user, team, can } = useSession();
  const { navigate } = useRouter();
  const base = experienceBase(user.applicationExperience);
  // Administrators find the reports among their tabs.
  const seesReports = base !== '/ehr' && can('canViewRouteAuditReport') && !can('canManageUsers');
  return (
    <>
      <MenuLabel>
        {user.firstName} {user.lastName}
        <br />
        {user.username}
        <br />
        {team.name}
      </MenuLabel>
      <MenuItem
        icon={<IconUser size={16} stroke={1.75} aria-hidden />}
        choose={() => void navigate({ to: profilePath(user) })}
      >
        Your profile
      </MenuItem>
      {seesReports && (
        <MenuItem
          icon={<IconChartHistogram size={16} stroke={1.75} aria-hidden />}
          choose={() => void navigate({ to: `${base}/user-report` })}
        >
          Reports
        </MenuItem>
      )}
      <MenuItem icon={<IconKeyboard size={16} stroke={1.75} aria-hidden />} choose={openShortcuts}>
        Keyboard shortcuts
      </MenuItem>
      <MenuItem
        icon={<IconNews size={16} stroke={1.75} aria-hidden />}
        choose={() => void navigate({ to: whatsNewPath(user) })}
      >
        What’s new
      </MenuItem>
      <ColorSchemeItems />
      <MenuLabel>Session</MenuLabel>
      <MenuItem icon={<IconLogout size={16} stroke={1.75} aria-hidden />} choose={() => void leave()}>
        Sign out
      </MenuItem>
    </>
  );
};
