import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isLinkInUse, LINK_PURPOSES, LINK_STATE_LABELS, PURPOSE_LABELS } from '#contract/facility-link-words.ts';
import type { FacilityLink, FacilityLinks as Links } from '#contract/facility-links.ts';
import type { Encounter } from '#contract/patients.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { useSession } from '../session/session.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { Failed } from '../ui/states.tsx';
import { answerInWords, uploadInWords } from './answer-in-words.ts';
import { AskDrawer } from './ask-drawer.tsx';
import classes from './facility-links.module.css';
import { linksQuery } from './link-queries.ts';

/** What ended the link, or will. */
const endOf = ({ state, expiresDate, answeredDate, revokedBy }: FacilityLink): string => {
  if (state === 'ANSWERED' && answeredDate) return `Answered ${formatDateTime(answeredDate)}`;
  if (revokedBy) return `By ${revokedBy}`;
  if (state === 'LOCKED') return 'Call the facility, then create a new link';
  if (state === 'ENDED') return 'Its creator can no longer ask about this patient';
  return state === 'EXPIRED' ? `Expired ${formatDateTime(expiresDate)}` : `Works until ${formatDateTime(expiresDate)}`;
};

const Link = ({ link, revoke }: { link: FacilityLink; revoke: (() => void) | null }) => {
  const { purpose, upload, state, recipient, createdBy, createdDate } = link;
  const said = link.answer ? answerInWords(link.answer) : upload && uploadInWords(upload);
  const answer = link.answer ?? upload;
  const word = state === 'ANSWERED' ? 'Take back' : 'Revoke';
  return (
    <li>
      <div className={classes.line}>
        <span>
          <strong>{LINK_STATE_LABELS[state]}</strong>
          <span className={classes.dim}> {PURPOSE_LABELS[purpose]}</span>
        </span>
        {revoke && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={revoke}
            aria-label={`${word}: link of ${formatDateTime(createdDate)}`}
          >
            {word}
          </Button>
        )}
      </div>
      {answer && (
        <>
          <p className={classes.answer}>
            {state === 'TAKEN_BACK' ? <s>{said}</s> : said}
            {`. Reported by ${answer.contactName}, ${answer.contactPhone}`}
          </p>
          {answer.note && <p className={classes.note}>{answer.note}</p>}
        </>
      )}
      <span className={classes.dim}>
        {[endOf(link), recipient ? `sent to ${recipient}` : 'copied', `created by ${createdBy}`].join(' · ')}{' '}
        <time dateTime={createdDate}>{formatDateTime(createdDate)}</time>
      </span>
    </li>
  );
};

/** Why nothing can be asked, each reason once. */
const reasonIn = (refusals: Links['refusals']): string =>
  [...new Set(Object.values(refusals).filter((refusal) => refusal !== null))].join(' ');

interface Props {
  patientId: string;
  stay: Encounter;
  /** Frames what is shown, if anything is. */
  section: (content: ReactNode) => ReactNode;
}

/**
 * The team's links to a stay's facility, with their answers, and a button to create one. Shows nothing where there are none and nothing is missing,
 * except that a facility under 42 CFR Part 2 can't be asked.
 */
export const FacilityLinks = ({ patientId, stay, section }: Props) => {
  const { admittingFacility: facility, dischargedDate, dischargeTo, pings } = stay;
  const known = JSON.stringify([dischargedDate, dischargeTo, pings.map(({ id, state }) => [id, state])]);
  const mayAsk = useSession().can('canManagePings');
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({ ...linksQuery(patientId, known), placeholderData: (before) => before });
  const [asking, ask] = useState(false);
  const [ending, end] = useState<FacilityLink | null>(null);
  if (error && !data)
    return section(
      <Failed what="Couldn't load the links to the facility." error={error} retry={() => void refetch()} />,
    );
  if (!data) return null;
  const { links, refusals } = data;
  const [first, ...others] = LINK_PURPOSES.filter((purpose) => refusals[purpose] === null);
  const refusal = first === undefined ? reasonIn(refusals) : null;
  const isSaid = refusal !== null && (links.length > 0 || facility.isPart2Facility) && mayAsk;
  if (links.length === 0 && !isSaid && (refusal !== null || !mayAsk)) return null;
  const show = (next: Links): void => {
    client.setQueryData(linksQuery(patientId, known).queryKey, { links: next.links, refusals: next.refusals });
    void client.invalidateQueries({ queryKey: ['patient', patientId] });
  };
  return section(
    <div className={classes.links}>
      {links.length > 0 && (
        <ol className={classes.list}>
          {links.map((link) => (
            <Link
              key={link.id}
              link={link}
              revoke={mayAsk && (isLinkInUse(link.state) || link.state === 'ANSWERED') ? () => end(link) : null}
            />
          ))}
        </ol>
      )}
      {isSaid && (
        <Text c="dimmed" size="sm">
          {refusal}
        </Text>
      )}
      {mayAsk && first !== undefined && (
        <Button size="compact-sm" variant="default" onClick={() => ask(true)}>
          Ask the facility
        </Button>
      )}
      {asking && (
        <AskDrawer
          patientId={patientId}
          facility={facility}
          purposes={first === undefined ? LINK_PURPOSES : [first, ...others]}
          created={show}
          close={() => ask(false)}
        />
      )}
      {ending && (
        <Confirm
          title={(ending.answer ?? ending.upload) ? 'Take this answer back?' : 'Revoke this link?'}
          word={(ending.answer ?? ending.upload) ? 'Take back' : 'Revoke link'}
          act={async () => {
            const params = { id: patientId, linkId: ending.id };
            show(await call('DELETE /api/patients/:id/facility-links/:linkId', { params }));
          }}
          done={() => end(null)}
          close={() => end(null)}
        >
          {ending.upload && "The document leaves the patient's documents. The answer stays on record."}
          {ending.answer
            ? `${answerInWords(ending.answer)}. If this ended the stay, the event is canceled and everyone who got a ping sees that. The answer stays on record.`
            : !ending.upload && 'It stops working at once. You can create another one.'}
        </Confirm>
      )}
    </div>,
  );
};
