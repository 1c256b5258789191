import { Alert, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { LINK_HOURS, type LinkPurpose, PURPOSE_LABELS } from '#contract/facility-link-words.ts';
import type { FacilityLinks } from '#contract/facility-links.ts';
import type { Facility } from '#contract/pings.ts';
import type { RouteAnswer } from '#contract/routes.ts';
import { call } from '../api/call.ts';
import { CopyValue } from '../forms/copy-value.tsx';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf } from '../forms/fields.ts';
import { useForm } from '../forms/use-form.ts';
import { announce } from '../ui/announcer.tsx';

interface Values {
  purpose: LinkPurpose;
  how: 'mail' | 'copy';
  recipient: string;
  hours: string;
}

type Created = RouteAnswer<'POST /api/patients/:id/facility-links'>;

const HOURS = LINK_HOURS.map((hours) => ({
  value: String(hours),
  label: hours === 24 ? '1 day' : `${hours / 24} days`,
}));

/** The form of a new link: what it asks, who gets it, and for how long it works. A link to copy is shown once. */
export const AskDrawer = ({
  patientId,
  facility,
  purposes,
  created,
  close,
}: {
  patientId: string;
  facility: Facility;
  /** What can be asked. */
  purposes: readonly [LinkPurpose, ...LinkPurpose[]];
  created: (links: FacilityLinks) => void;
  close: () => void;
}) => {
  const [url, setUrl] = useState<string | null>(null);
  const form = useForm<Values, Created>({
    initial: { purpose: purposes[0], how: 'mail', recipient: '', hours: String(LINK_HOURS[0]) },
    check: ({ how, recipient }) => ({
      recipient: how === 'copy' || recipient.includes('@') ? undefined : 'Enter an email address.',
    }),
    save: ({ purpose, how, recipient, hours }) =>
      call('POST /api/patients/:id/facility-links', {
        params: { id: patientId },
        body: { purpose, recipient: how === 'mail' ? recipient.trim() : null, hours: Number(hours) },
      }),
    saved: (answer, values) => {
      created(answer);
      if (answer.url === null) return close();
      form.reset(values);
      setUrl(answer.url);
      announce('The link is ready to copy.');
    },
  });
  const isCopied = form.values.how === 'copy';
  if (url !== null)
    return (
      <EditDrawer title="Ask the facility" form={form} close={close}>
        <Alert color="info" title="Copy the link now">
          You won't be able to see it again. Anyone who has it and knows the birth date can answer.
        </Alert>
        <CopyValue label="Link" value={url} />
      </EditDrawer>
    );
  return (
    <EditDrawer title="Ask the facility" form={form} submit={isCopied ? 'Create link' : 'Send link'} close={close}>
      <Text size="sm">
        Someone at {facility.name} answers by a link, without an account. The email and the page don't say who it is
        about until the birth date is entered, so tell them by phone. What {facility.name}'s system sends always counts
        first.
      </Text>
      <NativeSelect
        label="Question"
        data={purposes.map((value) => ({ value, label: PURPOSE_LABELS[value] }))}
        {...textOf(form, 'purpose')}
      />
      <Radio.Group label="How they get the link" value={form.values.how} onChange={(how) => form.change({ how })}>
        <Stack gap="xs" mt="xs">
          <Radio value="mail" label="By email" />
          <Radio value="copy" label="I'll copy it and send it myself" />
        </Stack>
      </Radio.Group>
      {!isCopied && (
        <TextInput
          label="Email address at the facility"
          type="email"
          autoComplete="off"
          maxLength={254}
          {...textOf(form, 'recipient')}
        />
      )}
      <NativeSelect label="Works for" data={HOURS} {...textOf(form, 'hours')} />
    </EditDrawer>
  );
};
