import { Text } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import type { LinkPurpose } from '#contract/facility-link-words.ts';
import type { OpenedLink } from '#contract/facility-links.ts';
import { AccountFrame } from '../sign-in/account-frame.tsx';
import { useAddressToken } from '../sign-in/use-address-token.ts';
import { useTitle } from '../ui/use-title.ts';
import { AnswerForm } from './answer-form.tsx';
import { BirthDateForm } from './birth-date-form.tsx';
import { UploadForm } from './upload-form.tsx';

/** The token is after the hash, which no server sees. */
const readToken = (): string => location.hash.slice(1);

type Step =
  | { kind: 'birth-date' }
  | { kind: 'answer'; birthDate: string; opened: OpenedLink }
  | { kind: 'answered'; purpose: LinkPurpose }
  | { kind: 'not-valid' };

const TITLES: Record<Exclude<Step['kind'], 'answer'>, string> = {
  'birth-date': 'A question from a care team',
  answered: 'Thank you',
  'not-valid': 'This link is no longer valid',
};

const titleOf = (step: Step): string =>
  step.kind === 'answer' ? PURPOSE_TITLES[step.opened.purpose] : TITLES[step.kind];

const PURPOSE_TITLES: Record<LinkPurpose, string> = {
  CONFIRM_DISCHARGE: 'Confirm a discharge',
  UPLOAD_SUMMARY: 'Upload a discharge summary',
};

const Steps = ({ token }: { token: string }) => {
  const [step, go] = useState<Step>(token ? { kind: 'birth-date' } : { kind: 'not-valid' });
  const title = titleOf(step);
  useTitle(title);
  const notValid = (): void => go({ kind: 'not-valid' });
  return (
    <AccountFrame title={title}>
      {step.kind === 'birth-date' && (
        <BirthDateForm
          token={token}
          opened={(opened, birthDate) => go({ kind: 'answer', opened, birthDate })}
          notValid={notValid}
        />
      )}
      {step.kind === 'answer' && (
        <Question
          token={token}
          birthDate={step.birthDate}
          opened={step.opened}
          answered={() => go({ kind: 'answered', purpose: step.opened.purpose })}
          notValid={notValid}
        />
      )}
      {step.kind === 'answered' && (
        <Text role="status">
          {step.purpose === 'UPLOAD_SUMMARY' ? 'The file was sent.' : 'Your answer was sent.'} You can close this page.
        </Text>
      )}
      {step.kind === 'not-valid' && <Text role="status">Ask the person who sent it for a new one.</Text>}
    </AccountFrame>
  );
};

const Question = (props: ComponentProps<typeof AnswerForm>) =>
  props.opened.purpose === 'UPLOAD_SUMMARY' ? <UploadForm {...props} /> : <AnswerForm {...props} />;

/** The page of a link for people at a facility without an account. It shows nothing about the patient before the birth date is right. */
export const HolderPage = () => {
  const token = useAddressToken(readToken);
  return <Steps key={token} token={token} />;
};
