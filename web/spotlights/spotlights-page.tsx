import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SPOTLIGHT_LABELS } from '#contract/spotlight-labels.ts';
import { SPOTLIGHTS, type Spotlight, type SpotlightName } from '#contract/spotlights.ts';
import { Loaded } from '../forms/loaded.tsx';
import { usePrivacyNotice } from '../patient/privacy-notice.ts';
import { useNavigate, useParams, useSearch } from '../router/hooks.ts';
import { spotlightsPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { localDay } from '../ui/format/age.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { IconDownload, IconPrinter } from '../ui/icons.ts';
import { Empty } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import { useTitle } from '../ui/use-title.ts';
import { Embedded } from './embedded.tsx';
import { Findings } from './findings.tsx';
import { KeptSpotlights } from './kept-spotlights.tsx';
import { People } from './people.tsx';
import { type CountedIn, saveCsv } from './save-csv.ts';
import { DEFAULT_PERIOD, daysOfPeriod, PERIODS, type SpotlightSearch, spotlightSearch } from './spotlight-periods.ts';
import { keptSpotlightsQuery, type SpotlightChoice, spotlightListQuery, spotlightQuery } from './spotlight-queries.ts';
import {
  comparisonOf,
  detailsOf,
  findingOf,
  numbersOf,
  peopleOf,
  periodInWords,
  SPOTLIGHT_WORDS,
} from './spotlight-words.ts';
import classes from './spotlights.module.css';

const isName = (name: string): name is SpotlightName => (SPOTLIGHTS as readonly string[]).includes(name);

/** The sub-name of the page of another system. */
const EMBEDDED = 'embedded';
const EVERYONE = 'Everyone on the lists';
const NOT_FOUND = 'Spotlight not found';

/** Chooses a spotlight, or the page of another system for those who may view it. */
const SpotlightChoiceField = ({ name, search }: { name: string; search: SpotlightSearch }) => {
  const { user, can } = useSession();
  const navigate = useNavigate();
  const all = SPOTLIGHTS.map((value) => ({ value, label: SPOTLIGHT_LABELS[value] }));
  const embedded = can('canViewSpotlightsWithTableau') ? [{ value: EMBEDDED, label: 'Embedded page' }] : [];
  return (
    <ChoiceField
      label="Spotlight"
      value={name}
      data={[...all, ...embedded]}
      onChange={({ currentTarget: { value } }) => void navigate({ to: `${spotlightsPath(user)}/${value}`, search })}
    />
  );
};

const Choices = ({ name, search }: { name: SpotlightName; search: SpotlightSearch }) => {
  const { user } = useSession();
  const navigate = useNavigate();
  const { data } = useQuery(spotlightListQuery);
  const show = (shown: SpotlightName, next: SpotlightSearch) =>
    void navigate({ to: `${spotlightsPath(user)}/${shown}`, search: next });
  // What is chosen differently is no longer the spotlight that is kept.
  const { kept: _kept, ...plain } = search;
  return (
    <Group gap="sm" align="end" className={classes.noPrint}>
      <SpotlightChoiceField name={name} search={plain} />
      <ChoiceField
        label="Period"
        value={search.period ?? DEFAULT_PERIOD}
        data={PERIODS.map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => show(name, { ...plain, period: value as never })}
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
            const { groupId: _, ...rest } = plain;
            show(name, value === '' ? rest : { ...rest, groupId: value });
          }}
        />
      )}
      <KeptSpotlights name={name} search={search} show={show} />
    </Group>
  );
};

const Head = ({ spotlight }: { spotlight: Spotlight }) => (
  <header className={classes.head}>
    <h1>{findingOf(spotlight)}</h1>
    <p className={classes.numbers}>
      {numbersOf(spotlight)} · {periodInWords(spotlight.period)} · people on the lists: {peopleOf(spotlight)}
    </p>
    {detailsOf(spotlight).map((detail) => (
      <p key={detail}>{detail}</p>
    ))}
    <p className={classes.comparison}>{comparisonOf(spotlight)}</p>
    <p className={classes.note}>
      Updated {formatDateTime(spotlight.asOf)}.
      {spotlight.period.isIncomplete && ' The period is incomplete: the numbers for its last days may still change.'}
    </p>
  </header>
);

interface ShownProps {
  spotlight: Spotlight;
  choice: SpotlightChoice;
  countedIn: CountedIn;
  facilitiesFirst: boolean;
}

const Shown = ({ spotlight, choice, countedIn, facilitiesFirst }: ShownProps) => {
  const { can } = useSession();
  const [facility, choose] = useState<{ id: string; name: string } | null>(null);
  return (
    <>
      <Head spotlight={spotlight} />
      <Group gap="sm" className={classes.noPrint}>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          onClick={() => saveCsv(spotlight, countedIn)}
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
      <Findings spotlight={spotlight} facilitiesFirst={facilitiesFirst} choose={choose} />
      <section className={classes.definition} aria-labelledby="spotlight-definition">
        <h2 id="spotlight-definition">What is counted</h2>
        <ul>
          {SPOTLIGHT_WORDS[spotlight.name].definition.map((line) => (
            <li key={line}>{line}</li>
          ))}
          <li>
            Numbers from 1 to 10 are not shown, to protect patients' privacy, and neither are numbers that would reveal
            them: “25 of 28” reveals the 3.
          </li>
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
  const { subName = SPOTLIGHTS[0] }: { subName?: string } = useParams();
  const search = spotlightSearch(useSearch());
  const { can } = useSession();
  const isEmbedded = subName === EMBEDDED && can('canViewSpotlightsWithTableau');
  useTitle(isEmbedded || isName(subName) ? 'Spotlights' : NOT_FOUND);
  if (isEmbedded)
    return (
      <div className={classes.page}>
        <SpotlightChoiceField name={EMBEDDED} search={search} />
        <Embedded />
      </div>
    );
  if (!isName(subName))
    return (
      <div className={classes.page}>
        <h1 className={classes.title}>{NOT_FOUND}</h1>
        <p>There is no spotlight with this name. Choose one below.</p>
        <SpotlightChoiceField name="" search={search} />
      </div>
    );
  return <SpotlightOf name={subName} search={search} />;
};

/** The team of the numbers, who printed them and when. Hidden on the screen. */
const PrintedFor = ({ title }: { title: string }) => {
  const { team } = useSession();
  const notice = usePrivacyNotice();
  return (
    <p className={classes.onlyPrint}>
      {title} · {team.name}. {notice}
    </p>
  );
};

const SpotlightOf = ({ name, search }: { name: SpotlightName; search: SpotlightSearch }) => {
  const today = localDay(useNow());
  const days = daysOfPeriod(search.period ?? DEFAULT_PERIOD, today);
  const { groupId, filterId, kept: keptId } = search;
  const choice = { name, ...days, groupId, filterId };
  const { can, team } = useSession();
  const { data: list } = useQuery(spotlightListQuery);
  const { data: all = [] } = useQuery({ ...keptSpotlightsQuery, enabled: can('canViewCustomSpotlights') });
  const kept = all.find(({ id }) => id === keptId);
  const query = useQuery({ ...spotlightQuery(choice), enabled: !kept?.lacksFilter });
  return (
    <div className={classes.page}>
      <PrintedFor title={kept?.title ?? SPOTLIGHT_LABELS[name]} />
      <Choices name={name} search={search} />
      {kept?.lacksFilter ? (
        <Empty title="The filter of this spotlight is gone">
          It was deleted or is no longer shared. Without it, other people would be counted, so nothing is shown until
          {kept.mayChange ? ' you choose again under Edit.' : ' its owner chooses again.'}
        </Empty>
      ) : (
        <Loaded query={query} what="spotlight">
          {(spotlight) => (
            <Shown
              key={JSON.stringify(choice)}
              spotlight={spotlight}
              choice={choice}
              countedIn={{
                team: team.name,
                group: list?.groups.find(({ id }) => id === groupId)?.name ?? 'All groups',
                people: filterId === undefined ? EVERYONE : `Filter: ${kept?.filterName ?? filterId}`,
              }}
              facilitiesFirst={kept?.breakdown === 'FACILITY'}
            />
          )}
        </Loaded>
      )}
    </div>
  );
};
