import { toJSONSchema } from 'zod';

/** The operations that the contract offers in n8n, as the n8n package reads them. */
export const n8nOperations = (operations) =>
  Object.fromEntries(
    Object.entries(operations)
      .filter(([, { n8n }]) => n8n !== undefined)
      .map(([id, operation]) => [id, n8nOperation(operation)]),
  );

function n8nOperation({ interface: side, tag, method, path, request, response, n8n }) {
  const { name, action, description, parameters = [], fields: shown = {} } = n8n;
  const { properties = {}, required = [] } =
    request === undefined ? {} : toJSONSchema(request, { io: 'input' });
  const isOption = (field) => !required.includes(field) && !parameters.includes(field);
  const fields = [...required, ...parameters, ...Object.keys(properties).filter(isOption)].map((field) => ({
    field,
    ...n8nField(properties[field]),
    isRequired: required.includes(field),
    isOption: isOption(field),
    ...shown[field],
  }));
  return {
    interface: side,
    resource: tag,
    name,
    action,
    description,
    method,
    path,
    answers: response.kind,
    fields,
  };
}

const listType = ({ enum: values }) => (values === undefined ? 'texts' : 'choices');

/** What the editor shows of a field; the bounds of every whole number are no bounds of it. */
const takesText = ({ type, anyOf = [] } = {}) => type === 'string' || anyOf.some(takesText);

function n8nField({
  type = 'object',
  items,
  anyOf,
  description,
  default: standard,
  enum: values,
  examples,
  properties,
  ...bounds
}) {
  const { minimum, maximum, maxItems } = bounds;
  return {
    type: takesText({ anyOf }) ? 'string' : type === 'array' && takesText(items) ? listType(items) : type,
    description,
    default: standard,
    values: values ?? items?.enum,
    minimum: minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum,
    maximum: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
    maxItems,
    fields:
      properties === undefined
        ? undefined
        : Object.entries(properties).map(([field, property]) => ({ field, ...n8nField(property) })),
    example: ['string', 'number'].includes(typeof examples?.[0]) ? String(examples[0]) : undefined,
  };
}
