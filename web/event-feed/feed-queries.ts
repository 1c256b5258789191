import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import type { Patient } from '#contract/patients.ts';
import type { RouteAnswer } from '#contract/routes.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { call } from '../api/call.ts';
import { untilWhole } from '../lists/list-part.ts';

export type EventPage = RouteAnswer<'POST /api/events/search'>;
export type LoadedEvents = InfiniteData<EventPage, number>;

/** Loads one page. Only the first counts facets: the panel needs them once. `takesPart`: it may come before the server has loaded all events. */
export const loadEvents = (
  parameters: SearchParametersInput,
  pageNumber: number,
  takesPart = false,
): Promise<EventPage> => {
  const counts = pageNumber === 1 ? {} : { termFacetSizeOverride: 0 };
  return call('POST /api/events/search', { body: { ...parameters, ...counts, pageNumber }, takesPart });
};

/** The feed from its newest event on, one page after the other. */
export const eventsQuery = (parameters: SearchParametersInput) =>
  infiniteQueryOptions({
    queryKey: ['events', parameters],
    queryFn: ({ pageParam }) => loadEvents(parameters, pageParam, pageParam === 1),
    initialPageParam: 1,
    getNextPageParam: (last, pages) =>
      !last.isCounting && pages.length < last.numPages ? pages.length + 1 : undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => untilWhole({ state: { data: state.data?.pages[0] } }),
  });

/** What tells rows apart: each is about one event. */
export const eventIdOf = ({ id, currentPing }: Patient): string => currentPing?.eventIdentifier ?? id;

/** Returns the loaded rows, newest first, each event once: a new event moves the last one of a page onto the next. */
export const rowsOf = ({ pages }: Pick<LoadedEvents, 'pages'>): Patient[] => [
  ...new Map(pages.flatMap(({ patients }) => patients.map((row) => [eventIdOf(row), row]))).values(),
];
