/** The mails about links. They never say anything about the patient, not even initials: the link asks for the birth date. */
import type { LinkPurpose } from '#contract/facility-link-words.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { usDay } from '#server/platform/calendar/us-dates.ts';
import type { Letter } from '#server/platform/mail/outbox.ts';

type Text = Pick<Letter, 'subject' | 'body'>;

const PURPOSES: Record<LinkPurpose, { subject: string; question: string }> = {
  CONFIRM_DISCHARGE: {
    subject: 'asks you to confirm a discharge',
    question: 'when one of your patients was discharged, and where the patient went',
  },
  UPLOAD_SUMMARY: {
    subject: 'asks you for a discharge summary',
    question: 'to upload the discharge summary of one of your patients',
  },
};

export interface AskingLetter {
  purpose: LinkPurpose;
  /** Who asks: the organization, and the person with their team. */
  organization: string;
  person: string;
  team: string;
  url: string;
  expiresAt: Date;
  timeZone: string;
}

/** Returns the mail to the facility. */
export function askingLetter({ purpose, organization, person, team, url, expiresAt, timeZone }: AskingLetter): Text {
  const { subject, question } = PURPOSES[purpose];
  const lines = [
    'Hello,',
    `${person} (${team}, ${organization}) asks you ${question}.`,
    `Open this link and enter the patient's date of birth. ${person} can tell you which patient it is; this email doesn't say.\n${url}`,
    `The link works until ${timeIn(timeZone, expiresAt)}, for this question only. You don't need an account.`,
    "If you weren't expecting this email, you can ignore it. Please don't forward it.",
  ];
  return { subject: `${organization} ${subject}`, body: `${lines.join('\n\n')}\n` };
}

/** Returns the mail to the person who created a link that three wrong birth dates have locked. */
export function lockedLetter({ createdAt, publicUrl }: { createdAt: Date; publicUrl: string }): Text {
  const on = usDay(localDateOf(createdAt.getTime(), 'America/New_York'));
  const lines = [
    'Hello,',
    `A link that you created for a facility on ${on} was locked, because three wrong birth dates were entered. No one can use it anymore.`,
    `If the facility still has to answer, call them, then create a new link from the patient's page:\n${publicUrl}/inbox/`,
  ];
  return { subject: 'A link you created was locked', body: `${lines.join('\n\n')}\n` };
}

/** Returns the mail to the person who asked for a discharge summary, once someone uploaded it. `link`: opaque, and useless to anyone else. */
export function uploadedLetter({ createdAt, link }: { createdAt: Date; link: string }): Text {
  const on = createdAt.toLocaleDateString('en-US', { timeZone: 'America/New_York' });
  const lines = [
    'Hello,',
    `The facility uploaded the discharge summary that you asked for by a link on ${on}. It is among the patient's documents.`,
    `Sign in to read it:\n${link}`,
  ];
  return { subject: 'A discharge summary that you asked for is here', body: `${lines.join('\n\n')}\n` };
}

const timeIn = (timeZone: string, at: Date): string =>
  at.toLocaleString('en-US', {
    timeZone,
    weekday: 'short',
    month: '2-digit',
    day: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
