import type { ExplainedNotice, PingExplanation } from '#contract/explanations.ts';

/** Returns who on the team opened the stay since the ping, as the audit log has it. */
export const readerSentences = (
  { readers }: Pick<PingExplanation, 'readers'>,
  at: (value: string) => string,
): string[] =>
  readers.length === 0
    ? ['No one on your team has opened the stay since then.']
    : readers.map(({ name, firstDate, lastDate }) => {
        const [first, last] = [at(firstDate), at(lastDate)];
        return first === last ? `${name} opened the stay ${first}.` : `${name} opened the stay ${first}, last ${last}.`;
      });

const CHANNELS = { EMAIL: 'email', TEXT: 'text message' } as const;

const noticeInWords = (
  { name, channel, isCorrection, state, date }: ExplainedNotice,
  at: (value: string) => string,
) => {
  const by = CHANNELS[channel];
  const about = isCorrection ? ' of the correction' : '';
  if (state === 'SENT') return `${name} was notified${about} by ${by} ${at(date)}.`;
  const what = `${isCorrection ? 'The correction' : 'The notice'} to ${name} by ${by}`;
  if (state === 'QUEUED') return `${what} waits to be sent since ${at(date)}.`;
  return `${what} ${at(date)} ${state === 'FAILED' ? 'could not be delivered' : 'was not sent: it must not or could not reach them'}.`;
};

/** Returns who on the team was notified by email or text, and whether it got there. */
export const noticeSentences = (
  { notices }: Pick<PingExplanation, 'notices'>,
  at: (value: string) => string,
): string[] => [...new Set(notices.map((notice) => noticeInWords(notice, at)))];
