import { Textarea, TextInput } from '@mantine/core';
import { CLIENT_SECRET_MAX } from '#contract/admin-fields.ts';
import { textOf } from '../../forms/fields.ts';
import { SecretInput } from '../../forms/secret-input.tsx';
import type { ConnectionForm, SsoKind } from './use-connection-form.ts';

interface Props {
  form: ConnectionForm;
}

const ISSUER: Record<SsoKind, { label: string; description?: string }> = {
  OIDC: { label: 'Issuer', description: 'The URL before /.well-known/openid-configuration' },
  SAML: { label: 'Identity provider entity ID' },
  SMART: { label: 'Issuer', description: 'The FHIR base URL that the EHR sends as iss' },
};

/** How the identity provider or EHR identifies itself. */
export const IssuerField = ({ form }: Props) => (
  <TextInput {...ISSUER[form.values.kind]} spellCheck={false} {...textOf(form, 'issuer')} />
);

/** Where a SAML identity provider signs people in, and the certificates that prove its assertions. */
export const SamlFields = ({ form }: Props) => (
  <>
    <TextInput label="Sign-in URL" spellCheck={false} {...textOf(form, 'entryPoint')} />
    <Textarea
      label="Signing certificates"
      description="PEM. While you replace a certificate, paste both, one after the other."
      resize="vertical"
      rows={5}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      {...textOf(form, 'certificates')}
      error={form.errorUnder('certificates')}
    />
  </>
);

/** Our registration at the identity provider or EHR: OpenID Connect and SMART App Launch. `hasSecret`: whether one is saved. */
export const ClientFields = ({ form, hasSecret }: Props & { hasSecret: boolean }) => (
  <>
    <TextInput label="Client ID" spellCheck={false} autoComplete="off" {...textOf(form, 'clientId')} />
    <SecretInput
      label="Client secret"
      description={
        hasSecret
          ? 'A secret is saved and never shown. Leave this empty to keep it, or enter a new secret to replace it.'
          : "You won't be able to see it again. Leave this empty if you weren't given a secret."
      }
      autoComplete="off"
      maxLength={CLIENT_SECRET_MAX}
      {...textOf(form, 'clientSecret')}
    />
  </>
);

/** A list with one entry per line. */
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

/** Which EHR may show our pages in a frame. */
export const OriginsField = ({ form }: Props) => (
  <Lines
    form={form}
    name="allowedOrigins"
    label="Allowed frame origins"
    description="EHR addresses that may show Tidings in a frame. One per line. Example: https://ehr.lakeshore.example"
  />
);

/** Email domains of the users who sign in at the identity provider, or that an EHR may link by email address. */
export const DomainsField = ({ form }: Props) => (
  <Lines
    form={form}
    name="domains"
    label="Email domains"
    description={`${
      form.values.kind === 'SMART'
        ? 'The first launch finds a user by email address, in these domains only.'
        : 'People with these email domains sign in here, once the domain is verified.'
    } One domain per line. Example: lakeshore.example`}
  />
);
