import { useSession } from '../session/session.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { useNow } from '../ui/use-now.ts';

/** Returns what stands on each printed page: that it is confidential, when it was printed, and by whom. */
export const usePrivacyNotice = (): string => {
  const { user } = useSession();
  const now = useNow();
  return `Confidential: contains patient information (PHI). Printed ${formatDateTime(now.toISOString())} by ${user.firstName.slice(0, 1)}. ${user.lastName}.`;
};
