import { toJSONSchema } from 'zod';

/** The editor shows a multi-line input for a text that may be at least this long. */
const LONG_CHARACTERS = 10_000;

/** The operations that the contract offers in n8n, as the n8n package reads them. */
export const n8nOperations = (operations) =>
  Object.fromEntries(
    Object.entries(operations)
      .filter(([, { n8n }]) => n8n !== undefined)
      .map(([id, operation]) => [id, n8nOperation(operation)]),
  );

function n8nOperation({ interface: side, tag, method, path, request, response, n8n, fieldGroups = {} }) {
  const { name, action, description, parameters = [], fields: fieldSettings = {} } = n8n;
  const { properties = {}, required = [] } =
    request === undefined ? {} : toJSONSchema(request, { io: 'input' });
  const isOption = (field) => !required.includes(field) && !parameters.includes(field);
  const fields = [...required, ...parameters, ...Object.keys(properties).filter(isOption)].map((field) => {
    const { own, ...settings } = fieldSettings[field] ?? {};
    // n8nField puts the settings of the parts into the parts themselves.
    delete settings.parts;
    return {
      field,
      ...n8nField(properties[field], fieldSettings[field]),
      // If the field has parameters of its own in the editor, those are required instead.
      isRequired: required.includes(field) && own === undefined,
      isOption: isOption(field),
      ...settings,
    };
  });
  return {
    interface: side,
    resource: tag,
    name,
    action,
    description,
    method,
    path,
    answers: response.kind,
    // With `io: 'input'`, fields that older servers do not send are optional, and so not in `required`.
    // Interface B specifies only the tokens, so another service may respond with other fields.
    answerFields: side === 'A' && response.kind === 'json' ? requiredFields(response.schema) : [],
    fields,
    groups: fieldGroups,
  };
}

/** The required fields of an object. If its schema has an id, zod puts it under that id, below a reference to it. */
function requiredFields(schema) {
  const { $ref, $defs, required = [] } = toJSONSchema(schema, { io: 'input' });
  return $ref === undefined ? required : $defs[$ref.replace('#/$defs/', '')].required;
}

const listType = ({ enum: values }) => (values === undefined ? 'texts' : 'choices');

/** Whether a field can hold text, possibly besides other types. */
const takesText = ({ type, anyOf = [] } = {}) => type === 'string' || anyOf.some(takesText);

/** Whether an object has names that the caller chooses, and values of a known type. */
const isRecord = ({ additionalProperties }) =>
  typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0;

function typeOf(schema, { hasEntries = false }) {
  const { type = 'object', items, anyOf } = schema;
  if (takesText({ anyOf })) return 'string';
  if (isRecord(schema)) return 'record';
  if (type === 'array' && takesText(items)) return listType(items);
  return hasEntries ? 'objects' : type;
}

/**
 * The parts that are entered one by one: the fields of an object or of the objects in a list, or the name and the value
 * of an entry of a record. Undefined if there are none.
 */
function partsOf(schema, { hasEntries = false }) {
  const { properties, items, propertyNames, additionalProperties } = schema;
  if (isRecord(schema)) return { name: propertyNames, value: additionalProperties };
  return hasEntries ? items.properties : properties;
}

function n8nField(schema, settings = {}) {
  const { items, description, default: defaultValue, enum: values, examples, format, ...bounds } = schema;
  const { minimum, maximum, maxItems, maxLength = 0 } = bounds;
  const [example] = [examples?.[0]].flat();
  const parts = partsOf(schema, settings);
  return {
    type: typeOf(schema, settings),
    description,
    default: defaultValue,
    values: values ?? items?.enum,
    minimum: minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum,
    maximum: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
    maxItems,
    isSecret: format === 'password' ? true : undefined,
    isLong: maxLength >= LONG_CHARACTERS ? true : undefined,
    fields:
      parts &&
      Object.entries(parts).map(([field, part]) => ({
        field,
        ...n8nField(part),
        ...settings.parts?.[field],
      })),
    example: ['string', 'number'].includes(typeof example) ? String(example) : undefined,
  };
}
