import { Button, NativeSelect, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Patient } from '#contract/patients.ts';
import type { StoryEncounter, VisitKind } from '#contract/story.ts';
import { Loaded } from '../forms/loaded.tsx';
import { isOngoing } from '../patient/stay.ts';
import { formatDate } from '../ui/format/date.ts';
import { chronicleOf, type Episode } from './chronicle.ts';
import classes from './story.module.css';
import { ALL_VISITS, homeHealthQuery, visitsQuery } from './story-queries.ts';
import { MoreVisits, VisitCard } from './visit-card.tsx';
import { beganOn } from './visit-dates.ts';

const KINDS: readonly (readonly [VisitKind | null, string])[] = [
  [null, 'All'],
  ['ED', 'ED'],
  ['INPATIENT', 'Inpatient'],
  ['POST_ACUTE', 'Post-acute'],
  ['OTHER', 'Other'],
];

/** Visits that follow each other, with their length as a whole. */
const EpisodeOfCare = ({
  episode,
  patient,
  open,
}: {
  episode: Episode;
  patient: Patient;
  open: string | undefined;
}) => {
  const cards = episode.stays.map((stay) => (
    <li key={stay.id}>
      <VisitCard stay={stay} patient={patient} isOpen={stay.id === open} />
    </li>
  ));
  const [newest] = episode.stays;
  const oldest = episode.stays.at(-1);
  if (episode.stays.length === 1 || !newest || !oldest) return cards;
  const began = beganOn(oldest);
  const from = began && formatDate(began, oldest.admittingFacility.timeZone);
  const to = isOngoing(newest)
    ? 'now'
    : newest.dischargedDate && formatDate(newest.dischargedDate, newest.admittingFacility.timeZone);
  const duration = newest.fullVisitDuration;
  return (
    <li className={classes.episode}>
      <p className={classes.episodeHead}>
        {episode.stays.length} linked stays{from && to && ` · ${from} – ${to}`}
        {duration && ` · ${duration}`}
      </p>
      <ol className={classes.stays}>{cards}</ol>
    </li>
  );
};

const Chronicle = ({ encounters, patient }: { encounters: readonly StoryEncounter[]; patient: Patient }) => {
  const open = encounters[0]?.id;
  return chronicleOf(encounters).map(({ title, episodes }) => (
    <section key={title} aria-label={title}>
      <h3 className={classes.year}>{title}</h3>
      <ol className={classes.stays}>
        {episodes.flatMap((episode) => [
          <EpisodeOfCare key={episode.id} episode={episode} patient={patient} open={open} />,
          ...(episode.gapBefore
            ? [
                <li key={`${episode.id} gap`} className={classes.gap}>
                  {episode.gapBefore}
                </li>,
              ]
            : []),
        ])}
      </ol>
    </section>
  ));
};

/** The patient's visits by year. */
export const Visits = ({ patient }: { patient: Patient }) => {
  const [choice, choose] = useState(ALL_VISITS);
  const visits = useInfiniteQuery(visitsQuery(patient.id, choice));
  // The list leaves out home health, which has a panel of its own.
  const { data: homeHealth } = useQuery(homeHealthQuery(patient.id, 1));
  const none = homeHealth?.total ? 'No visits besides home health.' : 'No visits that your team may see.';
  const isChosen = choice.kind !== null || choice.facilityId !== null;
  return (
    <section aria-labelledby="story-visits" className={classes.panel}>
      <Title order={2} id="story-visits">
        Visits
      </Title>
      <div className={classes.choices} data-no-print>
        <Button.Group aria-label="Kind of visit">
          {KINDS.map(([kind, label]) => (
            <Button
              key={label}
              size="compact-sm"
              variant={choice.kind === kind ? 'filled' : 'default'}
              aria-pressed={choice.kind === kind}
              onClick={() => choose({ ...choice, kind })}
            >
              {label}
            </Button>
          ))}
        </Button.Group>
        <NativeSelect
          aria-label="Facility"
          size="xs"
          value={choice.facilityId ?? ''}
          onChange={({ currentTarget }) => choose({ ...choice, facilityId: currentTarget.value || null })}
          data={[
            { value: '', label: 'All facilities' },
            ...(visits.data?.pages[0]?.facilities ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </div>
      <Loaded query={visits} what="visits">
        {({ pages }) => {
          const encounters = pages.flatMap((page) => page.encounters);
          const total = pages[0]?.total ?? 0;
          return (
            <>
              {total === 0 && <Text c="dimmed">{isChosen ? 'No visits match. Choose "All".' : none}</Text>}
              <Chronicle encounters={encounters} patient={patient} />
              {visits.hasNextPage && (
                <MoreVisits
                  left={total - encounters.length}
                  load={() => void visits.fetchNextPage()}
                  isLoading={visits.isFetchingNextPage}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
};
