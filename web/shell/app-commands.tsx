import { useNavigate } from '../router/hooks.ts';
import { profilePath, whatsNewPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { type Handlers, useCommands } from '../ui/commands.ts';
import { usePages } from './pages.ts';

const loadPreferences = async () => (await import('./later-parts.ts')).loadPreferences();

interface App {
  /** Inside an EHR there are no other pages. */
  embedded: boolean;
  openPalette: () => void;
  openShortcuts: () => void;
  toggleSidebar: () => void;
}

/** The commands of every page: the palette, the shortcuts, and the way to other pages. */
export const AppCommands = ({ embedded, openPalette, openShortcuts, toggleSidebar }: App) => {
  const { user } = useSession();
  const navigate = useNavigate();
  const goTo = (to: string) => () => void navigate({ to });
  const jumps: Handlers = Object.fromEntries(usePages().map(({ id, to }) => [id, goTo(to)]));
  useCommands({
    'app.shortcuts': openShortcuts,
    'app.density': () => void loadPreferences().then(({ switchDensity }) => switchDensity()),
    ...(embedded
      ? {}
      : {
          ...jumps,
          'app.palette': openPalette,
          'app.sidebar': toggleSidebar,
          'go.news': goTo(whatsNewPath(user)),
          'go.profile': goTo(profilePath(user)),
        }),
  });
  return null;
};
