/** Where a visit is: Encounter.location, what each location is part of, and the facility (FHIR R4, Location and Organization). */
import type { FeedSettings } from '#contract/feed-settings.ts';
import type { Location } from '#server/intake/hl7/adt-facts.ts';
import type { Bundle, Resource } from './bundle.ts';
import { codeOf, identifiersOf } from './codes.ts';
import { list, type Node, object, text } from './json.ts';
import { MOST_GATHERED, MOST_STEPS } from './limits.ts';

/** The location of an element of Encounter.location, and what it is part of, the smallest first. */
interface Place {
  /** The element of Encounter.location. */
  stay: Node;
  chain: readonly Resource[];
  /** What the reference itself says, for a location that isn't in the message. */
  display: string | undefined;
}

/** Returns the Encounter's locations: where the patient is, and where they were just before. */
export function placesOf(bundle: Bundle, encounter: Resource): { now: Place | undefined; before: Place | undefined } {
  const places = list(encounter.node, 'location', MOST_GATHERED).map((stay) => placeOf(bundle, encounter, stay));
  const been = places.filter(({ stay }) => !['planned', 'reserved'].includes(text(stay, 'status') ?? ''));
  const open = been.filter(
    ({ stay }) => text(stay, 'status') !== 'completed' && text(object(stay, 'period'), 'end') === undefined,
  );
  const left = been.filter((place) => !open.includes(place));
  const now = latest(open, 'start') ?? latest(left, 'end');
  return {
    now,
    before: latest(
      left.filter((place) => place !== now),
      'end',
    ),
  };
}

/** Returns the place whose period has the last start or end; of those without, the first. */
function latest(places: readonly Place[], side: 'start' | 'end'): Place | undefined {
  const at = ({ stay }: Place) => Date.parse(text(object(stay, 'period'), side) ?? '') || 0;
  return places.toSorted((a, b) => at(b) - at(a))[0];
}

function placeOf(bundle: Bundle, encounter: Resource, stay: Node): Place {
  const [first] = bundle.follow(encounter, 'location', stay);
  return {
    stay,
    chain: first === undefined ? [] : withParents(bundle, first, 'partOf'),
    display: text(object(stay, 'location'), 'display'),
  };
}

/** Returns a resource and those that it is part of. A circle ends after so many steps. */
function withParents(bundle: Bundle, first: Resource, name: string): Resource[] {
  const chain = [first];
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const [parent] = bundle.follow(chain.at(-1) as Resource, name);
    if (parent === undefined || chain.includes(parent)) break;
    chain.push(parent);
  }
  return chain;
}

/** Location.physicalType (R5: Location.form) of rooms, beds, and sites and buildings, which are no unit. */
const ROOM = 'ro';
const BED = 'bd';
const WHOLE = new Set(['si', 'bu']);

const kindOf = ({ node }: Resource): string =>
  (codeOf(node, 'physicalType') ?? codeOf(node, 'form') ?? '').toLowerCase();
const nameOf = ({ node }: Resource): string | undefined => text(node, 'name') ?? identifiersOf(node)[0]?.value;

/** Returns a place as HL7 v2 has it in PV1-3. The name of the whole facility is no unit. */
export function locationOf(
  { chain, display }: Place,
  facilityNames: readonly string[],
  { locationMap }: FeedSettings,
): Location | undefined {
  const isUnit = (place: Resource) => ![ROOM, BED].includes(kindOf(place)) && !WHOLE.has(kindOf(place));
  const named = (place: Resource | undefined) => (place === undefined ? undefined : nameOf(place));
  const sent = chain.length === 0 ? display : named(chain.find(isUnit));
  const unit = sent !== undefined && facilityNames.includes(sent) ? undefined : sent;
  const location = {
    pointOfCare: (unit && locationMap[unit.toUpperCase()]?.unit) ?? unit ?? null,
    room: named(chain.find((place) => kindOf(place) === ROOM)) ?? null,
    bed: named(chain.find((place) => kindOf(place) === BED)) ?? null,
    facility: facilityNames[0] ?? null,
  };
  const { facility: _, ...within } = location;
  return Object.values(within).some((part) => part !== null) ? location : undefined;
}

/** Returns what the place is called in the feed's map of units, in capitals. */
export const unitOf = (place: Place | undefined): string =>
  (place && (place.chain.map(nameOf)[0] ?? place.display)?.toUpperCase()) ?? '';

/**
 * Returns all that the message calls its facility, the best first: the Encounter's provider, the organization that manages its location, its
 * site, and the sender.
 */
export function facilityNamesOf(bundle: Bundle, encounter: Resource | undefined, place: Place | undefined): string[] {
  const { header } = bundle;
  const names = [
    ...(encounter ? organizationsOf(bundle, encounter, 'serviceProvider') : []),
    ...(place?.chain ?? []).flatMap((each) => organizationsOf(bundle, each, 'managingOrganization')),
    ...(place?.chain ?? []).filter((each) => WHOLE.has(kindOf(each))).flatMap(namesOf),
    ...organizationsOf(bundle, header, 'sender'),
    ...organizationsOf(bundle, header, 'responsible'),
    ...list(header.node, 'source').flatMap((source) => text(source, 'name') ?? []),
  ];
  return [...new Set(names)];
}

function organizationsOf(bundle: Bundle, from: Resource, name: string): string[] {
  const [first] = bundle.follow(from, name);
  const reference = object(from.node, name);
  return [
    ...(first === undefined ? [] : withParents(bundle, first, 'partOf').flatMap(namesOf)),
    ...identifiersOf(reference).map(({ value }) => value),
    ...(text(reference, 'display') === undefined ? [] : [text(reference, 'display') as string]),
  ];
}

/** Returns the identifiers and the name of an organization or a location. */
const namesOf = ({ node }: Resource): string[] => [
  ...identifiersOf(node).map(({ value }) => value),
  ...(text(node, 'name') === undefined ? [] : [text(node, 'name') as string]),
];
