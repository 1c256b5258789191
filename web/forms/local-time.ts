/** Local dates and times, as the fields of a form have them. */

const FORMAT = {
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
} as const;

/** Returns an instant as local date and time, YYYY-MM-DD and HH:MM; a day has no time. */
export const localOf = (value: string, timeZone: string): { date: string; time: string } => {
  if (value.length === 10) return { date: value, time: '' };
  const parts = new Intl.DateTimeFormat('en-US', { ...FORMAT, timeZone }).formatToParts(new Date(value));
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  };
};

/** Returns a local date with its time as an instant, or the date alone if there is no time. */
export const instantOf = (date: string, time: string, timeZone: string): string => {
  if (time === '') return date;
  const asUtc = Date.parse(`${date}T${time}:00Z`);
  if (Number.isNaN(asUtc)) return date;
  // Twice: the first guess may lie on the other side of a change of the clock.
  let instant = asUtc;
  for (let turn = 0; turn < 2; turn += 1) {
    const local = localOf(new Date(instant).toISOString(), timeZone);
    instant += asUtc - Date.parse(`${local.date}T${local.time}:00Z`);
  }
  return new Date(instant).toISOString();
};
