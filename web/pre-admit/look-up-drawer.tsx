import { Alert, Drawer, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SETTING_LABELS } from '#contract/event-codes.ts';
import type { HeldLookUp, HeldPatient } from '#contract/pre-admit.ts';
import { Loaded } from '../forms/loaded.tsx';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { born } from '../patient/phrases.ts';
import { useBack } from '../router/use-back.ts';
import { formatDate, formatDateTime } from '../ui/format/date.ts';
import { familyFirst } from '../ui/format/name.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { Empty } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { heldAdmissionsQuery, heldQuery, lookUpQuery } from './held-queries.ts';
import classes from './pre-admit.module.css';

const Part = ({ title, none, children }: { title: string; none: string; children: ReactNode[] }) => (
  <section className={classes.part}>
    <h3>{title}</h3>
    {children.length === 0 ? <Text c="dimmed">{none}</Text> : <ul>{children}</ul>}
  </section>
);

const visitDates = ({ admittedDate, dischargedDate, isOpen }: HeldLookUp['visits'][number]): string => {
  const from = admittedDate ? formatDate(admittedDate) : 'Date not recorded';
  if (isOpen) return `${from}, there now`;
  return dischargedDate ? `${from} to ${formatDate(dischargedDate)}` : from;
};

/** A death as a facility reported it: nobody should be expected, called or admitted before they have asked. */
const Death = ({ deceased, deceasedDate, isDeathInDoubt }: HeldLookUp) =>
  deceased && (
    <Alert color="critical" icon={<IconAlertTriangle size={18} aria-hidden />} mt="sm" title="Reported as died">
      {deceasedDate ? `Date of death: ${formatDate(deceasedDate)}.` : 'Date of death not recorded.'}
      {isDeathInDoubt && ' The sender took the report back. Check with the facility.'}
    </Alert>
  );

const Found = ({ found }: { found: HeldLookUp }) => (
  <>
    <Death {...found} />
    <Part title="Programs" none="No programs recorded.">
      {found.programs.map(({ organization, program }) => (
        <li key={`${organization} ${program}`}>
          {program} <span className={classes.dim}>{organization}</span>
        </li>
      ))}
    </Part>
    <Part title="Care instructions" none="No care instructions for an admission.">
      {found.instructions.map(({ organization, instruction }) => (
        <li key={`${organization} ${instruction}`}>
          {instruction} <span className={classes.dim}>{organization}</span>
        </li>
      ))}
    </Part>
    <Part title="Care team" none="No care team recorded.">
      {found.careTeam.map(({ organization, name, title, phone }) => (
        <li key={`${organization} ${name} ${title} ${phone}`}>
          {[name, title, phone].filter(Boolean).join(' · ')} <span className={classes.dim}>{organization}</span>
        </li>
      ))}
    </Part>
    <Part title="Visits of the last 12 months" none="No visits in the last 12 months.">
      {found.visits.map((visit) => (
        <li key={`${visit.facility} ${visit.setting} ${visit.admittedDate}`}>
          {visit.facility} · {SETTING_LABELS[visit.setting]} <span className={classes.dim}>{visitDates(visit)}</span>
          {visit.isPart2Facility && <div className={classes.dim}>{PART2_NOTICE}</div>}
        </li>
      ))}
    </Part>
  </>
);

/** Returns whether the patient is still held, as far as the lists on the page know: the drawer may be open while an admission ends the hold. */
const useHold = ({ id, groupName }: HeldPatient): string => {
  // The page loads them; this only follows.
  const { data: held } = useQuery({ ...heldQuery, enabled: false });
  const { data: admissions } = useQuery({ ...heldAdmissionsQuery, enabled: false });
  if (!held || held.some((one) => one.id === id)) return `held at ${groupName}`;
  const admission = admissions?.find((one) => one.id === id);
  return admission && !admission.isCanceled
    ? `admitted at ${groupName}, hold ended ${formatDateTime(admission.admittedDate)}`
    : `no longer held at ${groupName}`;
};

/** What is known of a held patient, if the match is automatic. Each opening is on record. */
export const LookUpDrawer = ({ held, close }: { held: HeldPatient; close: () => void }) => {
  useReturnFocus();
  useBack(close);
  const now = useNow();
  const hold = useHold(held);
  const query = useQuery(lookUpQuery(held.id));
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={520}
      title="Look up"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text fw={600}>{familyFirst(held)}</Text>
      <Text size="sm" c="dimmed" className="tabular">
        {born(held.dob, now)} · {held.gender} · {hold}
      </Text>
      <Loaded query={query} what="look-up">
        {(found) =>
          found.isMatched ? (
            <Found found={found} />
          ) : (
            <Empty title="No automatic match.">
              No one's record matches these details closely enough, so nothing is shown. A ZIP and the last 4 digits of
              the SSN can make the match certain.
            </Empty>
          )
        }
      </Loaded>
    </Drawer>
  );
};
