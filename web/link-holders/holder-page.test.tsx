import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { openApp, serve } from '../testing/app.tsx';
import { typedDate } from './birth-date.ts';

const TOKEN = 'a'.repeat(43);
const OPENED = {
  purpose: 'CONFIRM_DISCHARGE',
  patientName: 'Adaeze Okonkwo-Reyes',
  birthDate: '1941-03-14',
  facilityName: 'Mercy General Hospital',
  admittedDate: '2026-11-18T14:00:00Z',
  timeZone: 'America/New_York',
  askedBy: 'Rosa Lindgren, ACO Care Coordination (Lakeshore ACO)',
  expiresDate: '2026-11-23T15:00:00Z',
};
const OPEN = 'POST /api/facility-links/open';
const ANSWER = 'POST /api/facility-links/answer';
const UPLOAD = 'POST /api/facility-links/upload';

/** Opens the page of a link, as the router's history and the browser's address have it. */
function open(answers: Parameters<typeof serve>[0] = {}, hash = TOKEN) {
  const called = serve({ [OPEN]: [200, OPENED], [ANSWER]: [204], ...answers });
  history.replaceState(null, '', `/facility-link#${hash}`);
  openApp('/facility-link');
  return { called, sent: (route: string) => called.filter((one) => one.route === route).map(({ body }) => body) };
}
const user = userEvent.setup();
const type = async (text: string) => {
  const field = await screen.findByLabelText("Patient's date of birth");
  await user.clear(field);
  await user.type(field, text);
  await user.click(screen.getByRole('button', { name: 'Continue' }));
};

afterEach(() => history.replaceState(null, '', '/'));

test.each([
  ['3/14/1941', '03/14/1941'],
  ['03-14-1941', '03/14/1941'],
  ['02/30/1941', null],
  ['1941-03-14', null],
  ['03/14/41', null],
  ['', null],
])('the typed birth date %s is read as %s', (text, date) => {
  expect(typedDate(text)).toBe(date);
});

test('nothing about the patient is shown or asked for before the birth date, and the token leaves the address', async () => {
  const { sent, called } = open();
  await screen.findByLabelText("Patient's date of birth");
  expect(location.hash).toBe('');
  expect(sent(OPEN)).toEqual([]);
  expect(document.body.textContent).not.toContain('Mercy');
  await type('3/14/1941');
  expect(await screen.findByText('Adaeze Okonkwo-Reyes')).toBeTruthy();
  expect(sent(OPEN)).toEqual([{ token: TOKEN, birthDate: '03/14/1941' }]);
  // With the zone, wherever the reader is: the facility reads it.
  expect(screen.getByText('11/18/2026 09:00 AM ET')).toBeTruthy();
  expect(screen.getByText(/The link works until 11\/23\/2026 10:00 AM ET\./)).toBeTruthy();
  await user.click(screen.getByLabelText('No, discharged or died'));
  expect(screen.getByLabelText('Time, ET (optional)')).toBeTruthy();
  for (const { route, query } of called) expect(route + query.toString()).not.toContain(TOKEN);
});

test('a wrong birth date says how many tries are left, and a malformed one costs none', async () => {
  const message = "This isn't the birth date of the patient this link is about. You have 2 tries left.";
  const { sent } = open({ [OPEN]: [403, { errorKey: 'WRONG_BIRTH_DATE', message }] });
  await type('March 14');
  expect(await screen.findByText('Enter the date as MM/DD/YYYY.')).toBeTruthy();
  expect(sent(OPEN)).toEqual([]);
  await type('03/15/1941');
  expect((await screen.findByText(message)).getAttribute('role')).toBe('alert');
});

test.each([
  ['that the server refuses', TOKEN],
  ['without a token', ''],
])('a link %s says whom to ask, and nothing else', async (_, hash) => {
  open({ [OPEN]: [404, { errorKey: 'LINK_NOT_VALID' }] }, hash);
  if (hash) await type('03/14/1941');
  expect(await screen.findByRole('heading', { name: 'This link is no longer valid' })).toBeTruthy();
  expect(screen.getByText('Ask the person who sent it for a new one.')).toBeTruthy();
  expect(screen.queryByLabelText("Patient's date of birth")).toBeNull();
});

test('a discharge is answered with date, destination and who answers, once all is there', async () => {
  const { sent } = open();
  await type('03/14/1941');
  await user.click(await screen.findByLabelText('No, discharged or died'));
  await user.click(screen.getByRole('button', { name: 'Send answer' }));
  expect(await screen.findByText('Enter the date of the discharge.')).toBeTruthy();
  expect(screen.getByText('Enter your name.')).toBeTruthy();
  await user.type(screen.getByLabelText('Date'), '2026-11-19');
  await user.selectOptions(screen.getByLabelText('Went to'), 'Home with home health');
  await user.type(screen.getByLabelText('Your name'), 'Ana Ruiz');
  await user.type(screen.getByLabelText('Phone for questions'), '585-555-0177');
  await user.click(screen.getByRole('button', { name: 'Send answer' }));
  expect(await screen.findByText('Your answer was sent. You can close this page.')).toBeTruthy();
  const answer = {
    stillHere: false,
    date: '2026-11-19',
    time: null,
    destination: 'HOME_HEALTH',
    contactName: 'Ana Ruiz',
    contactPhone: '585-555-0177',
    note: '',
  };
  expect(sent(ANSWER)).toEqual([{ token: TOKEN, birthDate: '03/14/1941', answer }]);
  expect(document.body.textContent).not.toContain('Okonkwo');
});

test('a refused answer stays in the form, and a link that was used meanwhile says so', async () => {
  let refusal: [number, object] = [
    400,
    { errorKey: 'BAD_REQUEST', fields: { date: "The discharge can't be in the future." } },
  ];
  open({ [ANSWER]: () => refusal });
  await type('03/14/1941');
  await user.click(await screen.findByLabelText('No, discharged or died'));
  await user.type(screen.getByLabelText('Date'), '2027-11-19');
  await user.type(screen.getByLabelText('Your name'), 'Ana Ruiz');
  await user.type(screen.getByLabelText('Phone for questions'), '1');
  await user.click(screen.getByRole('button', { name: 'Send answer' }));
  expect(await screen.findByText("The discharge can't be in the future.")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Your name').value).toBe('Ana Ruiz');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Date')));
  refusal = [404, { errorKey: 'LINK_NOT_VALID' }];
  await user.click(screen.getByRole('button', { name: 'Send answer' }));
  expect(await screen.findByRole('heading', { name: 'This link is no longer valid' })).toBeTruthy();
});

/** Opens a link that asks for a discharge summary, up to the choice of the file. */
async function openUpload(answer: Parameters<typeof serve>[0][string] = [204]) {
  const opened = open({ [OPEN]: [200, { ...OPENED, purpose: 'UPLOAD_SUMMARY' }], [UPLOAD]: answer });
  await screen.findByRole('heading', { name: 'A question from a care team' });
  await type('03/14/1941');
  await screen.findByRole('heading', { name: 'Upload a discharge summary' });
  await user.type(screen.getByLabelText('Your name'), 'Ana Ruiz');
  await user.type(screen.getByLabelText('Phone for questions'), '585-555-0177');
  return opened;
}
const choose = (file: File) =>
  user.upload(document.querySelector<HTMLInputElement>('input[type="file"]') as HTMLInputElement, file);
const sendFile = () => user.click(screen.getByRole('button', { name: 'Send file' }));

test('a file is sent after the proof, and the page then says nothing about the patient', async () => {
  const { sent } = await openUpload();
  await sendFile();
  expect((await screen.findByText('Choose a file.')).getAttribute('role')).toBe('alert');
  expect(sent(UPLOAD)).toEqual([]);
  const file = new File(['%PDF-1.4'], 'summary.pdf', { type: 'application/pdf' });
  await choose(file);
  await sendFile();
  expect(await screen.findByText('The file was sent. You can close this page.')).toBeTruthy();
  const [form = {}] = sent(UPLOAD);
  expect(Object.keys(form)).toEqual(['upload', 'file']);
  expect(JSON.parse(form['upload'] as string)).toEqual({
    token: TOKEN,
    birthDate: '03/14/1941',
    contactName: 'Ana Ruiz',
    contactPhone: '585-555-0177',
    note: '',
  });
  expect((form['file'] as File).size).toBe(file.size);
  expect(document.body.textContent).not.toContain('Okonkwo');
});

test('a file that is empty or too large is not sent', async () => {
  const { sent } = await openUpload();
  const large = new File(['x'], 'large.pdf');
  Object.defineProperty(large, 'size', { value: 16 * 1024 * 1024 + 1 });
  for (const [file, words] of [
    [new File([], 'empty.pdf'), 'This file is empty. Choose another file.'],
    [large, 'This file is larger than 16 MB. Choose a smaller one.'],
  ] as const) {
    await choose(file);
    await sendFile();
    expect(await screen.findByText(words)).toBeTruthy();
  }
  expect(sent(UPLOAD)).toEqual([]);
});

test('a file that is refused says why at the file, and what was typed stays', async () => {
  const said = 'The document is about another patient than the link: the birth dates differ.';
  let answer: [number, object] = [400, { errorKey: 'BAD_REQUEST', fields: { file: said } }];
  await openUpload(() => answer);
  await choose(new File(['<ClinicalDocument/>'], 'other.xml'));
  await sendFile();
  expect((await screen.findByText(said)).getAttribute('role')).toBe('alert');
  expect(screen.getByLabelText<HTMLInputElement>('Your name').value).toBe('Ana Ruiz');
  answer = [404, { errorKey: 'LINK_NOT_VALID' }];
  await sendFile();
  expect(await screen.findByRole('heading', { name: 'This link is no longer valid' })).toBeTruthy();
});
