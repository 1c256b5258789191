import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import type { Spotlight, SpotlightPerson } from '#contract/spotlights.ts';
import { Loaded } from '../forms/loaded.tsx';
import { born } from '../patient/phrases.ts';
import { Link } from '../router/link.tsx';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { CardTable, type TableColumn } from '../ui/card-table.tsx';
import { formatDate } from '../ui/format/date.ts';
import { groupedId } from '../ui/format/name.ts';
import { Pager } from '../ui/pager.tsx';
import { useNow } from '../ui/use-now.ts';
import { type SpotlightChoice, spotlightPeopleQuery } from './spotlight-queries.ts';
import { SPOTLIGHT_WORDS, valueInWords } from './spotlight-words.ts';
import classes from './spotlights.module.css';

interface Props {
  choice: SpotlightChoice;
  spotlight: Spotlight;
  /** One of the spotlight's facilities, or all. */
  facility: { id: string; name: string } | null;
  showAll: () => void;
}

/** The patients behind a number, the latest first. */
export const People = ({ choice, spotlight: { name, unit }, facility, showAll }: Props) => {
  const { user } = useSession();
  const now = useNow();
  const [page, go] = useState(1);
  const {
    cases: [one, many],
    value: head,
  } = SPOTLIGHT_WORDS[name];
  const query = useQuery(spotlightPeopleQuery(choice, facility?.id ?? null, page));
  const columns: readonly TableColumn<SpotlightPerson & { id: string }>[] = [
    [
      'Patient',
      ({ patientId, firstName, lastName, dateOfBirth, memberId }) => (
        <>
          <Anchor component={Link} className={classes.name} to={patientPath(user, patientId)}>
            {`${lastName.toUpperCase()}, ${firstName}`}
          </Anchor>
          <Text size="sm" c="dimmed">
            {born(dateOfBirth, now)}
            {memberId && (
              <>
                {' '}
                · <span className={classes.id}>{groupedId(memberId)}</span>
              </>
            )}
          </Text>
        </>
      ),
    ],
    ['Facility', ({ facilityName }) => facilityName],
    ['Date', ({ day }) => formatDate(day)],
    ...(head ? [[head, ({ value }: SpotlightPerson) => valueInWords(unit, value)] as const] : []),
  ];
  return (
    <section className={classes.people} aria-labelledby="spotlight-people">
      <h2 id="spotlight-people">
        {facility ? `Patients behind this number, ${facility.name}` : 'Patients behind this number'}
      </h2>
      {facility && (
        <Button variant="default" size="compact-sm" onClick={showAll}>
          Show all facilities
        </Button>
      )}
      <Loaded query={query} what="patients">
        {({ patients, total, numPages }) =>
          total === 0 ? (
            <Text c="dimmed">No one.</Text>
          ) : (
            <>
              <Text size="sm" c="dimmed">
                {counted(total, one, many)}, the latest first
                {patients.length === 0 && '. You may not see who they are.'}
              </Text>
              <CardTable
                label="Patients"
                columns={columns}
                rows={patients.map((patient, at) => ({ ...patient, id: `${patient.patientId} ${at}` }))}
              />
              <Pager page={page} pages={numPages} go={go} />
            </>
          )
        }
      </Loaded>
    </section>
  );
};
