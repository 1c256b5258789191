import { clearStored } from './stored-keys.ts';

/**
 * The team that this tab is for. What is saved with the user is only what a new tab opens with: a switch in one tab must not give another
 * tab, at its next reload, the pages of another team under the same address. Of a user, so that the next one in this tab doesn't get it.
 */
const KEY = 'tidings-team';

/** Returns the team of this tab, if the user is the one who chose it. */
export const tabTeam = (userId: string): string | null => {
  try {
    const [user, team] = (sessionStorage.getItem(KEY) ?? '').split(' ');
    return (user === userId && team) || null;
  } catch {
    return null;
  }
};

export const keepTabTeam = (userId: string, teamId: string): void => {
  try {
    sessionStorage.setItem(KEY, `${userId} ${teamId}`);
  } catch {
    // Storage is blocked: the tab reloads with the saved team.
  }
};

export const forgetTabTeam = (): void => clearStored(KEY);
