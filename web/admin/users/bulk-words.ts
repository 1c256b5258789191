import type { UserChange } from '#contract/user-changes.ts';
import { countAccounts } from './count-accounts.ts';

export type BulkKind = UserChange['kind'];

interface Words {
  /** On the button and in the menu, e.g. 'Disable'. */
  action: string;
  /** What is about to happen, as a question. */
  title: (count: number) => string;
  about: string;
  button: (count: number) => string;
  done: (count: number) => string;
  /** Above those who were refused. */
  refused: (count: number) => string;
}

const were = (count: number): string => `${countAccounts(count)} ${count === 1 ? 'was' : 'were'}`;
const people = (count: number): string => (count === 1 ? '1 person' : `${count.toLocaleString('en-US')} people`);

export const BULK_WORDS: Record<BulkKind, Words> = {
  GIVE_ROLE: {
    action: 'Give a role',
    title: (count) => `Give ${people(count)} a role?`,
    about: 'The role replaces what they hold on this team for these groups. Their other access stays.',
    button: (count) => `Give the role to ${people(count)}`,
    done: (count) => `${people(count)} got the role.`,
    refused: (count) => `${people(count)} didn't get the role`,
  },
  TAKE_ACCESS: {
    action: 'Remove access',
    title: (count) => `Remove access from ${people(count)}?`,
    about: 'What they can open with this access closes right away. Their other access stays.',
    button: (count) => `Remove access from ${people(count)}`,
    done: (count) => `Access was removed from ${people(count)}.`,
    refused: (count) => `Access was not removed from ${people(count)}`,
  },
  RESEND_ACTIVATION: {
    action: 'Resend invitations',
    title: (count) => `Resend ${count === 1 ? 'the invitation' : `${count} invitations`}?`,
    about: 'Each gets a new link by email. The earlier ones stop working.',
    button: (count) => (count === 1 ? 'Resend the invitation' : `Resend ${count} invitations`),
    done: (count) => (count === 1 ? 'The invitation was resent.' : `${count} invitations were resent.`),
    refused: (count) => `${people(count)} got no invitation`,
  },
  SEND_RESET: {
    action: 'Send links to reset passwords',
    title: (count) => `Send ${people(count)} a link to set a new password?`,
    about: 'The present password keeps working until they set a new one.',
    button: (count) => `Send the link to ${people(count)}`,
    done: (count) => `A link to set a new password was sent to ${people(count)}.`,
    refused: (count) => `${people(count)} got no link`,
  },
  END_SESSIONS: {
    action: 'End all sessions',
    title: (count) => `End all sessions of ${people(count)}?`,
    about: 'They are signed out everywhere right away and can sign in again.',
    button: (count) => `End sessions of ${people(count)}`,
    done: (count) => `All sessions of ${people(count)} were ended.`,
    refused: (count) => `Sessions of ${people(count)} were not ended`,
  },
  ENABLE: {
    action: 'Enable',
    title: (count) => `Enable ${countAccounts(count)}?`,
    about: 'They can sign in again, with the access that they have.',
    button: (count) => `Enable ${countAccounts(count)}`,
    done: (count) => `${were(count)} enabled.`,
    refused: (count) => `${countAccounts(count)} not enabled`,
  },
  DISABLE: {
    action: 'Disable',
    title: (count) => `Disable ${countAccounts(count)}?`,
    about:
      "These people are signed out everywhere right away and can't sign in. Their history stays on record. You can enable each account again.",
    button: (count) => `Disable ${countAccounts(count)}`,
    done: (count) => `${were(count)} disabled.`,
    refused: (count) => `${countAccounts(count)} not disabled`,
  },
};
