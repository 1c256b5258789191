import { Anchor, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MissingPings } from '#contract/missing-pings.ts';
import { Loaded } from '../forms/loaded.tsx';
import { useParams } from '../router/hooks.ts';
import { Link } from '../router/link.tsx';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { formatDate } from '../ui/format/date.ts';
import classes from './explain.module.css';
import { ExplainFrame } from './explain-frame.tsx';
import { missingPingsQuery } from './explain-queries.ts';
import { findingInWords } from './missing-words.ts';
import { Segments } from './segments.tsx';
import { zoned } from './zoned.ts';

const Findings = ({ found }: { found: MissingPings }) => {
  const { user } = useSession();
  const at = (value: string): string => zoned(value, found.timeZone);
  return (
    <section aria-label={`Findings for ${formatDate(found.day)}`}>
      <ul className={classes.findings}>
        {found.findings.map((finding) => {
          const words = findingInWords(finding, at);
          return (
            <li key={words}>
              <p>{words}</p>
              {finding.patientId && (
                <Anchor component={Link} to={patientPath(user, finding.patientId)} size="sm" data-no-print>
                  {finding.code === 'OTHER_RECORD' ? 'Open that record' : 'Open the stay'}
                </Anchor>
              )}
              {finding.messageId && <Segments messageId={finding.messageId} name={words} />}
            </li>
          );
        })}
      </ul>
      <p className={classes.dim}>
        About {formatDate(found.day)}, on your lists and at the facilities you administer. Messages that other
        facilities hold aren't searched.
      </p>
    </section>
  );
};

/** Why a patient has no ping on a day, for administrators. */
export const MissingPingsPage = () => {
  const { patientId = '' } = useParams();
  // Not in the address: with the patient's id, a day would be patient data.
  const [day, setDay] = useState<string | null>(null);
  const [facilityId, setFacility] = useState<string | null>(null);
  const query = useQuery(missingPingsQuery(patientId, day, facilityId));
  const facilities = query.data?.facilities ?? [];
  return (
    <ExplainFrame title="Why is there no ping?" print="Print findings">
      {() => (
        <>
          <div className={classes.form} data-no-print>
            <TextInput
              type="date"
              label="Day"
              value={day ?? query.data?.day ?? ''}
              onChange={({ currentTarget }) => setDay(currentTarget.value || null)}
            />
            {facilities.length > 0 && (
              <ChoiceField
                label="Facility"
                value={facilityId ?? ''}
                onChange={({ currentTarget }) => setFacility(currentTarget.value || null)}
                data={[
                  { value: '', label: 'Facilities that know the patient' },
                  ...facilities.map(({ id, name }) => ({ value: id, label: name })),
                ]}
              />
            )}
          </div>
          <Loaded query={query} what="findings">
            {(found) => <Findings found={found} />}
          </Loaded>
        </>
      )}
    </ExplainFrame>
  );
};
