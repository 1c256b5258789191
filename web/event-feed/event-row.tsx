import { memo } from 'react';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { reportedByLink } from '../patient/as-reported.ts';
import { EventIcon } from '../patient/event-icon.tsx';
import { EventPhrase } from '../patient/event-phrase.tsx';
import { IdentityBadges } from '../patient/identity-badges.tsx';
import { IdentityFacts } from '../patient/identity-facts.tsx';
import { PART2_NOTICE, showsPart2 } from '../patient/part2-notice.ts';
import { delayPhrase, origin } from '../patient/phrases.ts';
import { Link } from '../router/link.tsx';
import { ago, formatDate, formatTime } from '../ui/format/date.ts';
import { familyFirst, spokenName } from '../ui/format/name.ts';
import { IconClock, IconPencil, IconX } from '../ui/icons.ts';
import { Badge } from '../ui/plain/text.tsx';
import classes from './event-feed.module.css';

interface Props {
  patient: Patient;
  now: Date;
  /** The event's. */
  id: string;
  opened: (id: string) => void;
  /** The patient's page; null for users who may not open it. */
  href: string | null;
  similar: boolean;
}

/** Returns "10:42 AM · 18 min ago"; with the date where it is another one at the facility than in the heading. */
const timeOf = ({ eventDate, facility: { timeZone } }: Ping, now: Date): string => {
  if (eventDate.length === 10) return 'Time not recorded';
  const time = formatTime(eventDate, timeZone);
  const date = formatDate(eventDate, timeZone);
  return [date !== formatDate(eventDate) && date, time, ago(eventDate, now)].filter(Boolean).join(' · ');
};

/** Why an event has to be read twice: its sender took it back or changed it, or no message reported it. */
const Corrections = ({ ping }: { ping: Ping }) => (
  <>
    {ping.state === 'CANCELLED' && (
      <Badge color="gray" icon={<IconX size={14} stroke={1.75} aria-hidden />}>
        Canceled
      </Badge>
    )}
    {ping.state === 'AMENDED' && (
      <Badge color="caution" icon={<IconPencil size={14} stroke={1.75} aria-hidden />}>
        Amended
      </Badge>
    )}
    {ping.late && (
      <Badge color="caution" icon={<IconClock size={14} stroke={1.75} aria-hidden />}>
        Late
      </Badge>
    )}
    {ping.inferred && <span className={classes.dim}>Not reported by the facility; inferred from a later message</span>}
  </>
);

/** One event: when, what, where, and about whom. */
export const EventRow = memo(({ patient, now, id, opened, href, similar }: Props) => {
  const ping = patient.currentPing;
  if (!ping) return null;
  const delay = delayPhrase(ping);
  const where = [ping.facility.name, origin(ping), ping.reportedByLink && reportedByLink(ping.reportedByLink)];
  return (
    <li className={classes.row}>
      <div className={classes.when}>
        <time dateTime={ping.eventDate}>{timeOf(ping, now)}</time>
        {delay && <div>{delay}</div>}
      </div>
      <div className={classes.what}>
        <EventIcon ping={ping} />
        <div>
          <span className={classes.event}>
            <EventPhrase ping={ping} />
          </span>{' '}
          <Corrections ping={ping} />
          <div className={classes.dim}>{where.filter(Boolean).join(' · ')}</div>
          {showsPart2(patient) && <div className={classes.dim}>{PART2_NOTICE}</div>}
        </div>
      </div>
      <div className={classes.who}>
        {href ? (
          <Link
            to={href}
            onClick={() => opened(id)}
            className={classes.name}
            data-event-row={id}
            aria-label={spokenName(patient)}
          >
            {familyFirst(patient)}
          </Link>
        ) : (
          <span className={classes.name}>{familyFirst(patient)}</span>
        )}{' '}
        <IdentityBadges patient={patient} similar={similar} />
        <div>
          <IdentityFacts patient={patient} now={now} />
        </div>
      </div>
    </li>
  );
});
