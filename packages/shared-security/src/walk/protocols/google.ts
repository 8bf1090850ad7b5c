import {
  data,
  id,
  media,
  model,
  name,
  object,
  opaque,
  roleOfMessage,
  type Shape,
  schema,
  text,
  word,
} from "../shape.ts";
import type { LeafRole } from "../types.ts";

/** Google's JSON is read in lowerCamelCase and in snake_case. */
function bothCases(fields: Record<string, Shape>): Record<string, Shape> {
  const both: Record<string, Shape> = {};
  for (const [key, shape] of Object.entries(fields)) {
    both[key] = shape;
    both[key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = shape;
  }
  return both;
}

const blob = object(bothCases({ mimeType: word, data: media("file") }));
const file = object(bothCases({ mimeType: word, fileUri: media("file") }));

const part = object(
  bothCases({
    inlineData: blob,
    fileData: file,
    thoughtSignature: opaque,
    functionCall: object({ id, name, args: data("tool-arguments") }, "tool-arguments"),
    functionResponse: object(
      {
        id,
        name,
        response: data("tool"),
        scheduling: word,
        parts: object(bothCases({ inlineData: blob, fileData: file })),
      },
      "tool",
    ),
    executableCode: object({ id, language: word, code: text("tool-arguments") }),
    codeExecutionResult: object({ id, outcome: word, output: text("tool") }),
    mediaResolution: object({ level: word }),
  }),
);

const content = object({ role: word, parts: part }, (value): LeafRole | undefined => roleOfMessage(value));

const functionDeclaration = object(
  bothCases({
    name,
    behavior: word,
    parameters: schema,
    parametersJsonSchema: schema,
    response: schema,
    responseJsonSchema: schema,
  }),
  "tool-definition",
);

const embedRequest = object(
  bothCases({
    model,
    content: object({ role: word, parts: part }, "input"),
    taskType: word,
    title: text("input"),
  }),
);

/**
 * generateContent, streamGenerateContent, countTokens, embedContent and batchEmbedContents.
 * @see https://ai.google.dev/api/generate-content
 */
export const googleGenerativeAi = object(
  bothCases({
    model,
    contents: content,
    content: object({ role: word, parts: part }, "input"),
    requests: embedRequest,
    taskType: word,
    systemInstruction: object({ role: word, parts: part }, "system"),
    tools: object(bothCases({ functionDeclarations: functionDeclaration }), "tool-definition"),
    toolConfig: object(
      bothCases({
        functionCallingConfig: object(bothCases({ mode: word, allowedFunctionNames: name })),
        retrievalConfig: object(bothCases({ languageCode: word })),
      }),
    ),
    safetySettings: object({ category: word, threshold: word, method: word }),
    generationConfig: object(
      bothCases({
        responseMimeType: word,
        responseSchema: schema,
        responseJsonSchema: schema,
        responseModalities: word,
        mediaResolution: word,
        thinkingConfig: object(bothCases({ thinkingLevel: word })),
        speechConfig: object(bothCases({ languageCode: word })),
        imageConfig: object(bothCases({ aspectRatio: word, imageSize: word })),
      }),
    ),
    cachedContent: id,
    labels: data("other"),
    // A whole response.
    candidates: object(
      bothCases({
        content,
        finishReason: word,
        safetyRatings: object({ category: word, probability: word }),
      }),
      "assistant",
    ),
    promptFeedback: object(bothCases({ blockReason: word })),
    modelVersion: model,
    responseId: id,
  }),
);
