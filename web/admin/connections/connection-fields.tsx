import { Textarea, TextInput } from '@mantine/core';
import { textOf } from '../../forms/fields.ts';
import { SecretInput } from '../../forms/secret-input.tsx';
import type { ConnectionForm, SsoKind } from './use-connection-form.ts';

interface Props {
  form: ConnectionForm;
}

const ISSUER: Record<SsoKind, { label: string; description?: string }> = {
  OIDC: { label: 'Issuer', description: 'The address before /.well-known/openid-configuration' },
  SAML: { label: 'Entity id of the identity provider' },
  SMART: { label: 'Issuer', description: 'The FHIR base address that the EHR sends as iss' },
};

/** By what the other side names itself. */
export const IssuerField = ({ form }: Props) => (
  <TextInput {...ISSUER[form.values.kind]} spellCheck={false} {...textOf(form, 'issuer')} />
);

/** Where a SAML identity provider signs people in, and by what its assertions are known to be its own. */
export const SamlFields = ({ form }: Props) => (
  <>
    <TextInput label="Address of the sign-in page" spellCheck={false} {...textOf(form, 'entryPoint')} />
    <Textarea
      label="Certificates that sign assertions"
      description="PEM. During a change of certificate, paste both, one after the other."
      resize="vertical"
      rows={5}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      {...textOf(form, 'certificates')}
      error={form.errorUnder('certificates')}
    />
  </>
);

/** What the other side registered us as: OpenID Connect and SMART App Launch. `hasSecret`: whether one is kept. */
export const ClientFields = ({ form, hasSecret }: Props & { hasSecret: boolean }) => (
  <>
    <TextInput label="Client id" spellCheck={false} autoComplete="off" {...textOf(form, 'clientId')} />
    <SecretInput
      label="Client secret"
      description={
        hasSecret
          ? 'One is kept, and is never shown. Leave this empty to keep it; what you enter replaces it.'
          : 'It is kept and never shown again. Leave it empty where the other side gave none.'
      }
      autoComplete="off"
      maxLength={2000}
      {...textOf(form, 'clientSecret')}
    />
  </>
);

/** A list, one entry a line. */
const Lines = ({
  form,
  name,
  ...words
}: Props & { name: 'allowedOrigins' | 'domains'; label: string; description: string }) => (
  <Textarea
    {...words}
    resize="vertical"
    rows={2}
    spellCheck={false}
    {...textOf(form, name)}
    error={form.errorUnder(name)}
  />
);

/** Which EHR may show us in a frame. */
export const OriginsField = ({ form }: Props) => (
  <Lines
    form={form}
    name="allowedOrigins"
    label="Origins that may show us in a frame"
    description="One a line, for example https://ehr.lakeshore.example"
  />
);

/** Who is sent to the other side to sign in. */
export const DomainsField = ({ form }: Props) => (
  <Lines
    form={form}
    name="domains"
    label="E-mail domains"
    description="Whose username ends in one of these signs in here. One a line, for example lakeshore.example"
  />
);
