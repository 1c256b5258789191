/** A list that the server is still loading: its pages and counts are from a part of it, and it is asked for again until it is whole. */
interface Counted {
  total: number;
  isCounting?: boolean | undefined;
}

/** In milliseconds. A million rows take many seconds. */
const ASK_AGAIN = 1000;

/** The `refetchInterval` of a query for a page. */
export const untilWhole = ({ state }: { state: { data: Counted | undefined } }): number | false =>
  state.data?.isCounting ? ASK_AGAIN : false;

/** Returns how many rows the list has; null while that is unknown. */
export const totalOf = (page: Counted | undefined): number | null => (page && !page.isCounting ? page.total : null);
