import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DischargeEvidence } from '#contract/evidence.ts';
import { FOLLOW_UP_RULE_LABELS, followUpState } from '#contract/follow-up-words.ts';
import { ApiError } from '../api/error.ts';
import { ContactNote } from '../follow-ups/contact-note.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { Amended } from '../patient/amended.tsx';
import { reportedByLink } from '../patient/as-reported.ts';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { plainEventPhrase } from '../patient/phrases.ts';
import { useParams } from '../router/hooks.ts';
import { useSession } from '../session/session.ts';
import { formatDate } from '../ui/format/date.ts';
import { Empty } from '../ui/states.tsx';
import { actsOf, clockOutcome, receiptsOf } from './evidence-words.ts';
import classes from './explain.module.css';
import { ExplainFrame } from './explain-frame.tsx';
import { evidenceQuery } from './explain-queries.ts';
import { messageName } from './message-list.tsx';
import { noticeSentences, readerSentences } from './reader-words.ts';
import { Step } from './steps.tsx';
import { noticeSentence } from './words.ts';
import { zoned } from './zoned.ts';

/** A table that stacks its cells on a phone. `label`: what it is a table of. */
const Rows = ({ label, heads, rows }: { label: string; heads: string[]; rows: ReactNode[][] }) => (
  <table className={classes.table} aria-label={label}>
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((cells, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id of their own, and never move
        <tr key={row}>
          {cells.map((cell, column) => (
            <td key={heads[column]} data-head={heads[column]}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const isMissed = (clocks: DischargeEvidence['clocks']): boolean =>
  clocks.some(({ rule, outcome }) => rule === 'TCM_CONTACT' && (outcome === 'LATE' || outcome === 'MISSED'));

/** The clocks of the discharge with their outcome, and what Tidings knows of the windows of HEDIS TRC. */
const Clocks = ({ found, at }: { found: DischargeEvidence; at: (value: string) => string }) => {
  const { clocks, windows, patientId, contactedStatus, isOwed } = found;
  const client = useQueryClient();
  return (
    <Step title="Clocks" sentences={[]}>
      <Rows
        label="Clocks"
        heads={['Clock', 'Due', 'Outcome']}
        rows={clocks.map((clock) => [
          FOLLOW_UP_RULE_LABELS[clock.rule],
          clock.due ? formatDate(clock.due) : 'None',
          clockOutcome(clock, at),
        ])}
      />
      <ContactNote
        patientId={patientId}
        contactedStatus={contactedStatus}
        isMissed={isMissed(clocks)}
        isOwed={isOwed}
        hasDied={clocks.some(({ because }) => because === 'DIED')}
        at={at}
        logged={() =>
          void client.invalidateQueries({ queryKey: evidenceQuery(patientId, found.ping.eventIdentifier).queryKey })
        }
      />
      <p className={classes.dim}>
        The TCM visit is face to face, with a physician or other qualified practitioner. Tidings knows that a visit was
        logged, not who saw the patient.
      </p>
      {windows.length > 0 && (
        <>
          <Rows
            label="HEDIS TRC windows"
            heads={['HEDIS TRC window', 'By', 'State']}
            rows={windows.map(({ rule, dueOn, state, metAt }) => [
              FOLLOW_UP_RULE_LABELS[rule],
              formatDate(dueOn),
              metAt ? `${followUpState(rule, state)}, ${at(metAt)}` : followUpState(rule, state),
            ])}
          />
          <p className={classes.dim}>
            From ADT messages, documents and logged contacts. The medical record decides whether the measure is met.
          </p>
        </>
      )}
    </Step>
  );
};

const Evidence = ({ found }: { found: DischargeEvidence }) => {
  const { team } = useSession();
  const { ping, stay, messages, recipients } = found;
  const { facility } = ping;
  const at = (value: string): string => zoned(value, facility.timeZone);
  const acts = actsOf(found, at);
  return (
    <>
      <p>
        <strong>{plainEventPhrase(ping)}</strong>, {facility.name}, {at(ping.eventDate)}
        {stay?.startDate && `. Stay since ${at(stay.startDate)}`}
        {ping.reportedByLink && `. ${reportedByLink(ping.reportedByLink)}`}
      </p>
      {ping.state === 'AMENDED' && ping.was && (
        <p>
          <Amended ping={ping} />
        </p>
      )}
      <p className={classes.dim}>
        What {team.name} knew and did about this discharge. Based on ADT messages; not a claim. Times are those of{' '}
        {facility.name}.
      </p>
      {facility.isPart2Facility && <p>{PART2_NOTICE}</p>}
      <Step title="When we knew" sentences={[]}>
        <Rows
          label="When we knew"
          heads={['What', 'When']}
          rows={[
            ['Discharged', at(ping.eventDate)],
            ...receiptsOf(found).map(({ what, date }) => [what, at(date)]),
            ...recipients.map((recipient) => [`Ping sent for ${recipient.groupName}`, at(recipient.sentDate)]),
          ]}
        />
        {recipients.map((recipient) => (
          <p key={recipient.groupName} className={classes.dim}>
            {noticeSentence(recipient, at)}
          </p>
        ))}
        {noticeSentences(found, at).map((sentence) => (
          <p key={sentence} className={classes.dim}>
            {sentence}
          </p>
        ))}
      </Step>
      <Step title="Who did what" sentences={readerSentences(found, at)}>
        {acts.length > 0 ? (
          <Rows
            label="Who did what"
            heads={['When', 'Who', 'What']}
            rows={acts.map(({ date, who, what }) => [at(date), who, what])}
          />
        ) : (
          <p className={classes.dim}>No status changes and no contact attempts since the discharge.</p>
        )}
      </Step>
      <Clocks found={found} at={at} />
      <Step title="Messages" sentences={[]}>
        <Rows
          label="Messages"
          heads={['Message', 'Received', 'Control ID', 'SHA-256']}
          rows={messages.map((message) => [
            messageName(message),
            at(message.receivedDate),
            message.controlId,
            <span key="hash" className={classes.hash}>
              {message.hash}
            </span>,
          ])}
        />
      </Step>
    </>
  );
};

/** What the team knew and did about a discharge, on one page to print. */
export const EvidencePage = () => {
  const { patientId = '', eventId = '' } = useParams();
  const query = useQuery(evidenceQuery(patientId, eventId));
  return (
    <ExplainFrame title="Evidence packet" print="Print evidence">
      {() =>
        query.error instanceof ApiError && query.error.status === 404 ? (
          <Empty title="Discharge not found">
            Your team got no ping about this discharge, or you don't have access.
          </Empty>
        ) : (
          <Loaded query={query} what="evidence">
            {(found) => <Evidence found={found} />}
          </Loaded>
        )
      }
    </ExplainFrame>
  );
};
