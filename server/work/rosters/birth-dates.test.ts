import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRoster } from './parse.ts';

/** In bytes, as a file arrives. */
const PIECE = 64 * 1024;

/** Returns the dates of birth of a file with these cells, in their order, or null for a row with errors. */
async function read(cells: readonly string[]): Promise<{ dates: (string | null)[]; hasDayFirst: boolean }> {
  const lines = cells.map((cell, index) => `A${index},Ama,Osei,${cell}\n`);
  const file = Buffer.from(`Member ID,First Name,Last Name,Date of Birth\n${lines.join('')}`);
  const dates: (string | null)[] = [];
  let hasDayFirst = false;
  const onDayFirst = (): void => {
    hasDayFirst = true;
  };
  const pieces = Array.from({ length: Math.ceil(file.length / PIECE) }, (_, at) =>
    file.subarray(at * PIECE, (at + 1) * PIECE),
  );
  for await (const parsed of parseRoster(pieces, { today: '2026-11-20', onDayFirst })) {
    dates.push(parsed.errors ? null : parsed.row.dateOfBirth);
  }
  return { dates, hasDayFirst };
}

test('a file with the day first is read as such as a whole, wherever the first date is that shows it', async () => {
  expect(await read(['03/04/1941', '1950-02-01', '5-6-1942', '25/12/1950', '01.02.1960', '7/8/1961 0:00'])).toEqual({
    dates: ['1941-04-03', '1950-02-01', '1942-06-05', '1950-12-25', '1960-02-01', '1961-08-07'],
    hasDayFirst: true,
  });
});

test('rows that arrived long before the date that shows the order are read in it, in their order', async () => {
  const unclear = Array.from({ length: 20_000 }, (_, at) => `${(at % 9) + 1}/10/1941`);
  const { dates } = await read(['1950-12-25', ...unclear, '25/12/1950']);
  const asDayFirst = unclear.map((date) => `1941-10-0${date.slice(0, 1)}`);
  expect(dates).toEqual(['1950-12-25', ...asDayFirst, '1950-12-25']);
});

test('a file whose dates could have either order has the month first', async () => {
  expect(await read(['03/04/1941', '1950-12-25', '05/05/1942'])).toEqual({
    dates: ['1941-03-04', '1950-12-25', '1942-05-05'],
    hasDayFirst: false,
  });
});

test('a date that is none in either order is an error and shows no order', async () => {
  expect(await read(['31/02/1941', '03/04/1941', '13/45/1941', '02/29/1941', '12/13/1950'])).toEqual({
    dates: [null, '1941-03-04', null, null, '1950-12-13'],
    hasDayFirst: false,
  });
});

test.each([
  [['03/04/1941', '13/04/1941', '04/13/1941'], 'row 3 has the day first, row 4 the month'],
  [['04/13/1941', '03/04/1941', '13/04/1941'], 'row 4 has the day first, row 2 the month'],
])('a file with both orders is refused, and the rows are named: %j', async (cells, reason) => {
  await expect(read(cells)).rejects.toThrow(reason);
});

test('a date that shows the day first after rows without end is refused, not read differently', async () => {
  await expect(read([...Array.from({ length: 150_000 }, () => '03/04/1941'), '13/04/1941'])).rejects.toThrow(
    'row 150002 has the day first',
  );
});

test('no file is read partly with the month and partly with the day first', async () => {
  const date = fc.date({ min: new Date('1930-01-01'), max: new Date('2020-12-31'), noInvalidDate: true });
  await fc.assert(
    fc.asyncProperty(fc.array(date, { minLength: 1, maxLength: 20 }), async (dates) => {
      const days = dates.map((each) => each.toISOString().slice(0, 10));
      const written = days.map((day) => day.split('-').toReversed().join('/'));
      const isClear = days.some((day) => Number(day.slice(8)) > 12);
      const swapped = written.map((text) => text.replace(/^(\d+)\/(\d+)\/(\d+)$/, '$3-$1-$2'));
      expect((await read(written)).dates).toEqual(isClear ? days : swapped);
    }),
  );
});
