import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { counted } from '#contract/counted.ts';
import { Failed } from '../ui/states.tsx';

/** Says how many patients a preview is about, and how many of them it has looked at. */
export const checkedOf = ({ people, checked }: { people: number; checked: number }): string =>
  `Checked ${checked < people ? `${checked.toLocaleString('en-US')} of ` : ''}${counted(people, 'patient')}.`;

interface Props<Body, Answer> {
  /** What the form would save; null while a field is invalid. */
  body: Body | null;
  load: (body: Body) => Promise<Answer>;
  /** Shows what is wrong at the fields. */
  check: (within: HTMLFormElement | null) => void;
  /** Says what the preview shows, and that nothing is saved. */
  hint: string;
  /** Says that there was no preview, e.g. "Couldn't preview these numbers." */
  failure: string;
  /** `at`: when it was asked, in epoch milliseconds. */
  children: (answer: Answer, at: number) => ReactNode;
}

/** What a form would have done over the past year, on request. It goes once the form says something else. */
export function Preview<Body, Answer>({ body, load, check, hint, failure, children }: Props<Body, Answer>) {
  const preview = useMutation({
    mutationFn: async (of: Body) => ({ of: JSON.stringify(of), answer: await load(of) }),
  });
  const { data, submittedAt } = preview;
  return (
    <section aria-label="Preview">
      <Button
        variant="default"
        size="xs"
        loading={preview.isPending}
        onClick={({ currentTarget }) => {
          check(currentTarget.form);
          if (body) preview.mutate(body);
        }}
      >
        Preview the past year
      </Button>
      <Text size="xs" c="dimmed" mt={4}>
        {hint}
      </Text>
      {preview.error && <Failed what={failure} error={preview.error} />}
      {data?.of === JSON.stringify(body) && children(data.answer, submittedAt)}
    </section>
  );
}
