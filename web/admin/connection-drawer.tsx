import { Alert, Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SsoConnection } from '#contract/admin.ts';
import type { ApplicationExperience } from '#contract/experiences.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { CopyValue } from '../forms/copy-value.tsx';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { SecretInput } from '../forms/secret-input.tsx';
import { useForm } from '../forms/use-form.ts';
import { IconInfoCircle } from '../ui/icons.ts';
import classes from './admin.module.css';
import { choices, EXPERIENCE_LABELS } from './labels.ts';

export type SsoKind = SsoConnection['kind'];
export const KIND_LABELS: Record<SsoKind, string> = {
  OIDC: 'Identity provider (OpenID Connect)',
  SAML: 'Enterprise sign-in (SAML 2.0)',
  SMART: 'Launch from an EHR (SMART App Launch)',
};
const EXPERIENCES: Record<SsoKind, ApplicationExperience[]> = {
  OIDC: ['JANUS_AUTH0_SSO', 'ANAHIT_AUTH0_SSO'],
  SAML: ['JANUS_ENTERPRISE_SSO', 'ANAHIT_ENTERPRISE_SSO'],
  SMART: ['JANUS_EHR_SSO', 'HOS_EHR_SSO'],
};

interface Values {
  kind: SsoKind;
  name: string;
  isEnabled: boolean;
  domains: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  entryPoint: string;
  certificates: string;
  allowedOrigins: string;
  applicationExperience: ApplicationExperience;
}
const valuesOf = (kind: SsoKind, was: SsoConnection | null): Values => ({
  kind,
  name: was?.name ?? '',
  isEnabled: was?.isEnabled ?? false,
  domains: was?.domains.join('\n') ?? '',
  issuer: was?.issuer ?? '',
  clientId: was?.clientId ?? '',
  clientSecret: '',
  entryPoint: was?.entryPoint ?? '',
  certificates: was?.certificates.join('\n') ?? '',
  allowedOrigins: was?.allowedOrigins.join('\n') ?? '',
  applicationExperience: was?.applicationExperience ?? EXPERIENCES[kind][0] ?? 'JANUS',
});

const lines = (text: string): string[] =>
  text
    .split(/[\n,;\s]+/)
    .map((line) => line.trim())
    .filter(Boolean);
/** Each certificate of a text that holds several, one after the other. */
export const certificatesOf = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? (text.trim() ? [text.trim()] : []);

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const check = (values: Values) => ({
  name: values.name.trim() ? undefined : 'Enter the name.',
  issuer: !values.issuer.trim()
    ? values.kind === 'SAML'
      ? 'Enter the entity id.'
      : 'Enter the issuer.'
    : values.kind !== 'SAML' && !isAddress(values.issuer.trim())
      ? 'The issuer is an address that begins with https://.'
      : undefined,
  clientId: values.kind === 'SAML' || values.clientId.trim() ? undefined : 'Enter the client id.',
  entryPoint:
    values.kind !== 'SAML' || isAddress(values.entryPoint.trim())
      ? undefined
      : 'Enter the address of the sign-in page: it begins with https://.',
  certificates:
    values.kind !== 'SAML' || values.certificates.includes('BEGIN CERTIFICATE')
      ? undefined
      : 'Paste the certificate as PEM, with its lines BEGIN and END CERTIFICATE.',
});

const fieldsOf = (values: Values) => ({
  kind: values.kind,
  name: values.name.trim(),
  isEnabled: values.isEnabled,
  domains: values.kind === 'SMART' ? [] : lines(values.domains.toLowerCase()),
  issuer: values.issuer.trim(),
  clientId: values.kind === 'SAML' ? null : values.clientId.trim(),
  entryPoint: values.kind === 'SAML' ? values.entryPoint.trim() : null,
  certificates: values.kind === 'SAML' ? certificatesOf(values.certificates) : [],
  allowedOrigins: values.kind === 'SMART' ? lines(values.allowedOrigins) : [],
  applicationExperience: values.applicationExperience,
  // Left empty, the secret that is there stays.
  ...(values.clientSecret ? { clientSecret: values.clientSecret } : {}),
});

const CALLBACK_LABELS: Record<SsoKind, string> = {
  OIDC: 'Redirect address (callback)',
  SAML: 'Assertion consumer service (callback)',
  SMART: 'Redirect address (callback)',
};

/** The addresses that the other side needs; they exist once the connection is saved. */
const OtherSide = ({ connection, kind }: { connection: SsoConnection | null; kind: SsoKind }) => (
  <section aria-label="What the other side needs">
    <h3 className={classes.subhead}>What the other side needs</h3>
    {connection ? (
      <>
        <CopyValue label={CALLBACK_LABELS[kind]} value={connection.callbackUrl} />
        {connection.metadataUrl && <CopyValue label="Entity id and metadata" value={connection.metadataUrl} />}
        {kind === 'SMART' && <CopyValue label="Launch address" value={`${location.origin}/api/ehr/launch`} />}
      </>
    ) : (
      <Alert role="note" color="gray" icon={<IconInfoCircle size={18} aria-hidden />}>
        Save the connection switched off first: its addresses then stand here, to be entered at the other side.
      </Alert>
    )}
  </section>
);

/** One connection: what we know of the other side, and what it must know of us. */
export const ConnectionDrawer = ({
  kind,
  connection,
  saved,
  outdated,
  takeTheirs,
  close,
}: {
  kind: SsoKind;
  connection: SsoConnection | null;
  saved: (message: string, connection: SsoConnection | null) => void;
  outdated: () => void;
  takeTheirs: () => Promise<void>;
  close: () => void;
}) => {
  const [removing, remove] = useState(false);
  const form = useForm<Values, SsoConnection>({
    initial: valuesOf(kind, connection),
    check,
    keys: { NAME_TAKEN: 'name' },
    version: connection?.version,
    save: (values, version) =>
      connection
        ? call('PUT /api/admin/sso-connections/:id', {
            params: { id: connection.id },
            body: { ...fieldsOf(values), version },
          })
        : call('POST /api/admin/sso-connections', { body: fieldsOf(values) }),
    saved: (answer) => saved(`The connection ${answer.name} was saved.`, connection ? null : answer),
    outdated,
    takeTheirs,
  });
  const { values, change, errorOf } = form;
  const underneath = (field: string): string | undefined =>
    errorOf(field) ?? Object.entries(form.errors).find(([path]) => path.startsWith(`${field}.`))?.[1];
  return (
    <EditDrawer title={connection ? connection.name : KIND_LABELS[kind]} form={form} submit="Save" wide close={close}>
      <TextInput
        label="Name"
        description="Administrators see it, for example Lakeshore sign-in"
        maxLength={100}
        value={values.name}
        error={errorOf('name')}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <Checkbox
        label="Switched on"
        description={
          kind === 'SMART'
            ? 'Launches from this EHR are accepted.'
            : 'Users of the domains below are sent to the other side when they sign in.'
        }
        checked={values.isEnabled}
        onChange={({ currentTarget }) => change({ isEnabled: currentTarget.checked })}
      />
      {connection?.isEnabled && !values.isEnabled && (
        <p role="status">
          While it is switched off, whoever signs in this way cannot sign in. To give these people back to passwords,
          remove the connection.
        </p>
      )}
      <OtherSide connection={connection} kind={kind} />
      <h3 className={classes.subhead}>What we need of the other side</h3>
      <TextInput
        label={kind === 'SAML' ? 'Entity id of the identity provider' : 'Issuer'}
        description={
          kind === 'SMART'
            ? 'The FHIR base address that the EHR sends as iss'
            : kind === 'OIDC'
              ? 'The address before /.well-known/openid-configuration'
              : undefined
        }
        spellCheck={false}
        value={values.issuer}
        error={errorOf('issuer')}
        onChange={({ currentTarget }) => change({ issuer: currentTarget.value })}
      />
      {kind === 'SAML' ? (
        <>
          <TextInput
            label="Address of the sign-in page"
            spellCheck={false}
            value={values.entryPoint}
            error={errorOf('entryPoint')}
            onChange={({ currentTarget }) => change({ entryPoint: currentTarget.value })}
          />
          <Textarea
            label="Certificates that sign assertions"
            description="PEM. During a change of certificate, paste both, one after the other."
            resize="vertical"
            rows={5}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={values.certificates}
            error={underneath('certificates')}
            onChange={({ currentTarget }) => change({ certificates: currentTarget.value })}
          />
        </>
      ) : (
        <>
          <TextInput
            label="Client id"
            spellCheck={false}
            autoComplete="off"
            value={values.clientId}
            error={errorOf('clientId')}
            onChange={({ currentTarget }) => change({ clientId: currentTarget.value })}
          />
          <SecretInput
            label="Client secret"
            description={
              connection?.hasSecret
                ? 'One is kept, and is never shown. Leave this empty to keep it; what you enter replaces it.'
                : 'It is kept and never shown again. Leave it empty where the other side gave none.'
            }
            autoComplete="off"
            maxLength={2000}
            value={values.clientSecret}
            error={errorOf('clientSecret')}
            onChange={({ currentTarget }) => change({ clientSecret: currentTarget.value })}
          />
        </>
      )}
      {kind === 'SMART' ? (
        <Textarea
          label="Origins that may show us in a frame"
          description="One a line, for example https://ehr.lakeshore.example"
          resize="vertical"
          rows={2}
          spellCheck={false}
          value={values.allowedOrigins}
          error={underneath('allowedOrigins')}
          onChange={({ currentTarget }) => change({ allowedOrigins: currentTarget.value })}
        />
      ) : (
        <Textarea
          label="E-mail domains"
          description="Whose username ends in one of these signs in here. One a line, for example lakeshore.example"
          resize="vertical"
          rows={2}
          spellCheck={false}
          value={values.domains}
          error={underneath('domains')}
          onChange={({ currentTarget }) => change({ domains: currentTarget.value })}
        />
      )}
      <NativeSelect
        label="Experience of users who come this way"
        value={values.applicationExperience}
        error={errorOf('applicationExperience')}
        onChange={({ currentTarget }) =>
          change({ applicationExperience: currentTarget.value as ApplicationExperience })
        }
        data={choices(EXPERIENCE_LABELS, EXPERIENCES[kind])}
      />
      {connection && (
        <Button variant="default" size="xs" style={{ alignSelf: 'flex-start' }} onClick={() => remove(true)}>
          Remove this connection…
        </Button>
      )}
      {connection && removing && (
        <Confirm
          title={`Remove the connection ${connection.name}?`}
          word="Remove the connection"
          act={() => call('DELETE /api/admin/sso-connections/:id', { params: { id: connection.id } })}
          done={() => saved(`The connection ${connection.name} was removed.`, null)}
          close={() => remove(false)}
        >
          {kind === 'SMART' ? 'Launches from this EHR are refused. ' : ''}
          Whoever signed in this way sets a password by e-mail at “Forgot password?” and signs in with it. Switch the
          connection off instead if it may be needed again soon: until then these people cannot sign in.
        </Confirm>
      )}
    </EditDrawer>
  );
};
