import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { SPOTLIGHTS, type Spotlight, type SpotlightName } from '#contract/spotlights.ts';
import { Loaded } from '../forms/loaded.tsx';
import { spotlightsPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconDownload, IconPrinter } from '../ui/icons.ts';
import { Empty } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import { useTitle } from '../ui/use-title.ts';
import { Findings } from './findings.tsx';
import { People } from './people.tsx';
import { saveCsv } from './save-csv.ts';
import { DEFAULT_PERIOD, daysOfPeriod, PERIODS, type SpotlightSearch, spotlightSearch } from './spotlight-periods.ts';
import { type SpotlightChoice, spotlightListQuery, spotlightQuery } from './spotlight-queries.ts';
import { comparisonOf, findingOf, numbersOf, peopleOf, periodInWords, SPOTLIGHT_WORDS } from './spotlight-words.ts';
import classes from './spotlights.module.css';

const isName = (name: string): name is SpotlightName => (SPOTLIGHTS as readonly string[]).includes(name);

const Choices = ({ name, search }: { name: SpotlightName; search: SpotlightSearch }) => {
  const { user } = useSession();
  const navigate = useNavigate();
  const { data } = useQuery(spotlightListQuery);
  const show = (shown: SpotlightName, next: SpotlightSearch) =>
    void navigate({ to: `${spotlightsPath(user)}/${shown}`, search: next });
  return (
    <Group gap="sm" align="end" className={classes.noPrint}>
      <ChoiceField
        label="Spotlight"
        value={name}
        data={SPOTLIGHTS.map((value) => ({ value, label: SPOTLIGHT_WORDS[value].label }))}
        onChange={({ currentTarget: { value } }) => isName(value) && show(value, search)}
      />
      <ChoiceField
        label="Period"
        value={search.period ?? DEFAULT_PERIOD}
        data={PERIODS.map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => show(name, { ...search, period: value as never })}
      />
      {data && data.groups.length > 1 && (
        <ChoiceField
          label="Group"
          value={search.groupId ?? ''}
          data={[
            { value: '', label: 'All groups' },
            ...data.groups.map((group) => ({ value: group.id, label: group.name })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            const { groupId: _, ...rest } = search;
            show(name, value === '' ? rest : { ...rest, groupId: value });
          }}
        />
      )}
    </Group>
  );
};

const Head = ({ spotlight }: { spotlight: Spotlight }) => (
  <header className={classes.head}>
    <h1>{findingOf(spotlight)}</h1>
    <p className={classes.numbers}>
      {numbersOf(spotlight)} · {periodInWords(spotlight.period)} · people on the lists today: {peopleOf(spotlight)}
    </p>
    <p className={classes.comparison}>{comparisonOf(spotlight)}</p>
    <p className={classes.note}>
      As of {formatDateTime(spotlight.asOf)}.
      {spotlight.period.isIncomplete && ' The period is incomplete: something may still be added to its last days.'}
    </p>
  </header>
);

const Shown = ({ spotlight, choice }: { spotlight: Spotlight; choice: SpotlightChoice }) => {
  const { can } = useSession();
  const [facility, choose] = useState<{ id: string; name: string } | null>(null);
  return (
    <>
      <Head spotlight={spotlight} />
      <Group gap="sm" className={classes.noPrint}>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          onClick={() => saveCsv(spotlight)}
        >
          Download CSV
        </Button>
        <Button
          variant="default"
          leftSection={<IconPrinter size={16} stroke={1.75} aria-hidden />}
          onClick={() => window.print()}
        >
          Print
        </Button>
      </Group>
      <Findings spotlight={spotlight} choose={choose} />
      <section className={classes.definition} aria-labelledby="spotlight-definition">
        <h2 id="spotlight-definition">What is counted</h2>
        <ul>
          {SPOTLIGHT_WORDS[spotlight.name].definition.map((line) => (
            <li key={line}>{line}</li>
          ))}
          <li>Numbers of fewer than 11 are not shown, nor one that they could be worked out from.</li>
        </ul>
      </section>
      {can('canViewPatients') && (
        <div className={classes.noPrint}>
          <People
            key={facility?.id ?? ''}
            choice={choice}
            spotlight={spotlight}
            facility={facility}
            showAll={() => choose(null)}
          />
        </div>
      )}
    </>
  );
};

/** What happened to the people on the team's lists in a period, as numbers. */
export const SpotlightsPage = () => {
  const { subName = SPOTLIGHTS[0] }: { subName?: string } = useParams({ strict: false });
  const search = spotlightSearch(useSearch({ strict: false }));
  useTitle('Spotlights');
  if (!isName(subName)) return <Empty title="Spotlight not found">There is no spotlight of this name.</Empty>;
  return <SpotlightOf name={subName} search={search} />;
};

const SpotlightOf = ({ name, search }: { name: SpotlightName; search: SpotlightSearch }) => {
  const today = useNow().toISOString().slice(0, 10);
  const days = daysOfPeriod(search.period ?? DEFAULT_PERIOD, today);
  const choice = { name, ...days, groupId: search.groupId };
  const query = useQuery(spotlightQuery(choice));
  return (
    <div className={classes.page}>
      <Choices name={name} search={search} />
      <Loaded query={query} what="spotlight">
        {(spotlight) => <Shown key={JSON.stringify(choice)} spotlight={spotlight} choice={choice} />}
      </Loaded>
      <Text className={classes.onlyPrint} size="sm">
        Confidential. Numbers of fewer than 11 are not shown.
      </Text>
    </div>
  );
};
