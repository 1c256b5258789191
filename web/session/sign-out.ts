import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { leave, setSigningOut } from './end-session.ts';
import { userOfDocument } from './queries.ts';
import { postToTabs } from './tabs.ts';

/** Leaves the pages of this browser's user in every tab, with nothing kept. `query`: for the sign-in page of this tab. */
export const leaveEverywhere = (query = ''): void => {
  const userId = userOfDocument();
  if (userId !== null) postToTabs({ kind: 'signed-out', userId });
  leave(query);
};

/** Signs out, in every tab. Throws if the server can't be reached or refuses: then the user is still signed in. */
export const signOut = async (query = ''): Promise<void> => {
  const userId = userOfDocument();
  const post = (kind: 'signing-out' | 'still-signed-in'): void => void (userId && postToTabs({ kind, userId }));
  setSigningOut('here');
  // Before the call: in another tab, the stream may report the end of the session earlier than this tab can.
  post('signing-out');
  try {
    await call('POST /api/logout');
  } catch (error) {
    // A 401: the session has ended already.
    if (!(error instanceof ApiError && error.status === 401)) {
      setSigningOut(null);
      post('still-signed-in');
      throw error;
    }
  }
  leaveEverywhere(query);
};
