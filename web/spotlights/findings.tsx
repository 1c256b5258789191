import { Anchor } from '@mantine/core';
import { counted } from '#contract/counted.ts';
import type { Spotlight, SpotlightFigure } from '#contract/spotlights.ts';
import { useSession } from '../session/session.ts';
import type { TableColumn } from '../ui/card-table.tsx';
import { FacilityChart, TrendChart } from './chart.tsx';
import { Panel } from './panel.tsx';
import { axisOf, figureInWords, isNone, numbersOf, periodInWords, SPOTLIGHT_WORDS } from './spotlight-words.ts';
import classes from './spotlights.module.css';

interface Props {
  spotlight: Spotlight;
  facilitiesFirst: boolean;
  /** Shows the patients of one facility. */
  choose: (facility: { id: string; name: string }) => void;
}

const MONTHS = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const monthOf = (day: string): string => MONTHS.format(new Date(`${day}T00:00:00Z`));

/** Returns the highest and lowest of the parts that are shown, in one sentence. */
function rangeOf(unit: Spotlight['unit'], parts: readonly { label: string; figure: SpotlightFigure }[]): string | null {
  const known = parts
    .filter(({ figure }) => figure.value !== null)
    .toSorted((a, b) => (a.figure.value ?? 0) - (b.figure.value ?? 0));
  const [low, high] = [known[0], known.at(-1)];
  if (!low || !high) return null;
  if (low === high) return `${figureInWords(unit, low.figure)} (${low.label})`;
  if (figureInWords(unit, low.figure) === figureInWords(unit, high.figure))
    return `${figureInWords(unit, low.figure)} in all that are shown`;
  return `From ${figureInWords(unit, low.figure)} (${low.label}) to ${figureInWords(unit, high.figure)} (${high.label})`;
}

const isShown = ({ figure }: { figure: SpotlightFigure }): boolean => figure.value !== null;

/**
 * Says how many parts have no number, and why; a chart has nothing at their place. Which of the hidden parts is small and which would give it away
 * is not said, because together with the total that can tell the small number (docs/decisions/0097).
 */
function hiddenOf(
  name: Spotlight['name'],
  parts: readonly { figure: SpotlightFigure }[],
  one: string,
  many: string,
): string {
  const none = parts.filter(({ figure }) => isNone(figure)).length;
  const hidden = parts.filter((part) => !isShown(part)).length - none;
  const words = [
    none > 0 && `${counted(none, one, many)} without ${SPOTLIGHT_WORDS[name].cases[1]}`,
    hidden === 1 && `1 ${one} not shown: a number from 1 to 10`,
    hidden > 1 && `${counted(hidden, one, many)} not shown: a number from 1 to 10, or one that would reveal it`,
  ];
  return words
    .filter(Boolean)
    .map((each) => `; ${each}`)
    .join('');
}

/** How the number developed, and how it differs between facilities. */
export const Findings = ({ spotlight, facilitiesFirst, choose }: Props) => {
  const { can } = useSession();
  const { name, unit, figure, months, facilities, period } = spotlight;
  const axisFor = (parts: readonly { figure: SpotlightFigure }[]) =>
    axisOf(unit, [figure.value, ...parts.map((part) => part.figure.value)]);
  const [monthAxis, facilityAxis] = [axisFor(months), axisFor(facilities)];
  const wholeOn = ({ at }: typeof monthAxis) =>
    figure.value === null ? null : { value: at(figure.value), label: `All: ${figureInWords(unit, figure)}` };
  const pointOn = ({ at, text }: typeof monthAxis, label: string, { value }: SpotlightFigure) =>
    value === null ? { label, value, text: '' } : { label, value: at(value), text: text(value) };
  const columns = <T extends { figure: SpotlightFigure }>(
    first: TableColumn<T & { id: string }>,
  ): TableColumn<T & { id: string }>[] => [
    first,
    ['Number', ({ figure: own }) => figureInWords(unit, own)],
    ['Of', ({ figure: own }) => numbersOf({ name, figure: own })],
  ];
  const byMonth = months.map((month) => ({ ...month, id: month.from, label: monthOf(month.from) }));
  const byFacility = facilities.map((facility) => ({ ...facility, label: facility.name }));
  const monthPanel = (
    <Panel
      finding={rangeOf(unit, byMonth) ?? 'By month: too few to tell'}
      note={`By month, ${monthAxis.label.toLowerCase()}${period.isIncomplete ? ', last month incomplete' : ''}${hiddenOf(name, months, 'month', 'months')}`}
      chart={
        months.some(isShown) ? (
          <TrendChart
            points={byMonth.map((month) => pointOn(monthAxis, month.label, month.figure))}
            unit={monthAxis.label}
            whole={wholeOn(monthAxis)}
          />
        ) : null
      }
      columns={columns<(typeof byMonth)[number]>([
        'Month',
        (month) => `${periodInWords(month)}${month.isIncomplete ? ' (incomplete)' : ''}`,
      ])}
      rows={byMonth}
    />
  );
  const facilityPanel = (
    <Panel
      finding={rangeOf(unit, byFacility) ?? 'By facility: too few to tell'}
      note={`By facility, ${facilityAxis.label.toLowerCase()}${hiddenOf(name, facilities, 'facility', 'facilities')}`}
      chart={
        facilities.some(isShown) ? (
          <FacilityChart
            points={byFacility
              .filter(isShown)
              .map((facility) => pointOn(facilityAxis, facility.label, facility.figure))}
            unit={facilityAxis.label}
            whole={unit === 'RATE' || unit === 'LOAD' ? null : wholeOn(facilityAxis)}
          />
        ) : null
      }
      columns={columns<(typeof byFacility)[number]>([
        'Facility',
        (facility) =>
          can('canViewPatients') ? (
            <Anchor component="button" type="button" className={classes.name} onClick={() => choose(facility)}>
              {facility.label}
            </Anchor>
          ) : (
            facility.label
          ),
      ])}
      rows={byFacility}
    />
  );
  return (
    <div className={classes.panels}>
      {facilitiesFirst ? facilityPanel : monthPanel}
      {facilitiesFirst ? monthPanel : facilityPanel}
    </div>
  );
};
