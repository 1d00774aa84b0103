"""What a panel's author says about one model.

[verifier.glm]
kind = "llm"
model = "openai:z-ai/glm-4.7"
base_url = "https://openrouter.ai/api/v1"
api_key_env = "OPENROUTER_API_KEY"
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self, TypeVar, get_args
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator

from parcel_agents.errors import ConfigError
from parcel_agents.providers.stop import AuthError
from parcel_agents.types import Frozen

Rung = Literal["json_schema", "function_calling", "json_mode", "line"]
RUNGS: tuple[Rung, ...] = get_args(Rung)
"""Ways to ask for a structured answer, the most reliable first; `line` asks for lines such as `LABEL: supported`."""

PROVIDERS: dict[str, str] = {
    "openai": "https://api.openai.com/v1",
    "google": "https://generativelanguage.googleapis.com/",
}
"""Providers and the base URL of each: any server that speaks OpenAI's chat completions, and Gemini."""
_KEYS = {"openai": "OPENAI_API_KEY", "google": "GOOGLE_API_KEY"}

_OWN_SETTING = frozenset(
    "model messages contents temperature max_tokens max_completion_tokens max_output_tokens response_format "
    "response_mime_type response_json_schema response_schema tools tool_choice stream n candidate_count "
    "api_key authorization headers".split()
)
"""Parameters that this package sets itself, or that would put a key where it can be printed."""


class ModelSpec(Frozen):
    """One model and how to call it. Holds the name of the key's environment variable, never the key."""

    model: str
    """`openai:NAME` for any server that speaks OpenAI's chat completions, `google:NAME` for Gemini."""
    base_url: str | None = None
    """The server; None for the provider's own."""
    api_key_env: str | None = None
    """The environment variable that holds the key; None for the provider's usual one, or for no key at all where
    `base_url` is another server: OpenAI's key is not sent to strangers."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """None for the model's own default, which makers of reasoning models ask to keep."""
    max_output_tokens: int = Field(default=8192, ge=1)
    """Reasoning counts, and so does every token against the cap on costs."""
    output_limit_name: Literal["auto", "max_tokens", "max_completion_tokens", "none"] = "auto"
    """How an OpenAI-compatible server calls the limit; `none` does not send it."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Anything else: fields of the request body (openai), of the generation config (google)."""
    context_window: int = Field(default=128_000, ge=1)
    """Tokens that fit into prompt and answer."""
    structured: Literal["auto"] | Rung = "auto"
    """The rung to use; `auto` finds the best that works."""
    rpm: int | None = Field(default=None, ge=1)
    """Requests a minute, None for no limit."""
    tpm: int | None = Field(default=None, ge=1)
    """Tokens a minute, None for no limit."""
    limit_group: str | None = None
    """Verifiers of one group share their limits; None for the group of all that use the same key and server."""
    concurrency: int = Field(default=64, ge=1)
    """Calls at a time at most; fewer after the provider said that it was too much."""
    timeout_s: float = Field(default=120, gt=0)
    """The deadline of one call."""
    deadline_s: float | None = Field(default=None, gt=0)
    """The deadline of one vote, with all its calls and with waiting for its turn; None for none."""
    retries: int = Field(default=3, ge=0, le=20)
    """How often a call is repeated after a timeout, a 429, a 5xx or a lost connection."""
    input_price: float | None = Field(default=None, ge=0)
    """Dollars for a million tokens; None where it is not known."""
    cached_price: float | None = Field(default=None, ge=0)
    """The same for input that the provider had cached; None for the input price."""
    output_price: float | None = Field(default=None, ge=0)
    """The same for output, reasoning included; None where it is not known."""
    detect_cut_prompt: bool = True
    """Whether to reject an answer where the server counts far too few tokens for the prompt: some servers cut a
    prompt that is too long without a word, and their model then answers on half an opinion."""

    @field_validator("model")
    @classmethod
    def _named(cls, value: str) -> str:
        provider, _, name = value.partition(":")
        if provider not in PROVIDERS or not name.strip():
            raise ValueError(f"{value!r} is not of the form PROVIDER:NAME with a provider of {', '.join(PROVIDERS)}")
        return value

    @field_validator("base_url")
    @classmethod
    def _plain_url(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{value!r} is not an http or https address")
        if parts.username or parts.password or parts.query or parts.fragment:
            # The value is not repeated: it may hold a secret.
            raise ValueError("the address must not hold a user, a password or a query; keys come from api_key_env")
        return value.rstrip("/")

    @field_validator("parameters")
    @classmethod
    def _foreign(cls, value: dict[str, Any]) -> dict[str, Any]:
        if taken := sorted(key for key in value if key.lower() in _OWN_SETTING):
            raise ValueError(f"{', '.join(taken)} cannot be given here; see the settings of their own")
        return value

    @model_validator(mode="after")
    def _whole_price(self) -> Self:
        if (self.input_price is None) != (self.output_price is None):
            raise ValueError("give input_price and output_price together, or neither")
        if self.cached_price is not None and self.input_price is None:
            raise ValueError("cached_price needs input_price and output_price")
        return self

    @property
    def provider(self) -> str:
        """`openai` or `google`: the way to speak to the server."""
        return self.model.partition(":")[0]

    @property
    def model_name(self) -> str:
        """The name that the server knows the model by."""
        return self.model.partition(":")[2]

    @property
    def url(self) -> str:
        """The server's address."""
        return self.base_url or PROVIDERS[self.provider]

    @property
    def key_name(self) -> str | None:
        """The environment variable that holds the key, None where none is needed."""
        if self.api_key_env or self.base_url is None:
            return self.api_key_env or _KEYS[self.provider]
        return None

    @property
    def group(self) -> str:
        """Whose limits this model shares."""
        return self.limit_group or f"{self.url} {self.key_name}"

    @property
    def priced(self) -> bool:
        """True if the cost of a call can be told."""
        return self.input_price is not None

    def sent_parameters(self) -> dict[str, Any]:
        """What goes to the model besides the messages, as `doctor` shows it and the cache keys it."""
        own = {"temperature": self.temperature, "max_output_tokens": self.max_output_tokens}
        if self.output_limit_name == "none":
            del own["max_output_tokens"]
        return {**self.parameters, **{name: value for name, value in own.items() if value is not None}}

    def find_key(self, environ: Mapping[str, str]) -> SecretStr | None:
        """The key, None where none is needed.

        Raises:
            AuthError: the environment does not have it.
        """
        name = self.key_name
        if name is None:
            return None
        if not environ.get(name, "").strip():
            raise AuthError(f"{self.model} needs a key: set the environment variable {name}, or choose another panel")
        return SecretStr(environ[name].strip())


S = TypeVar("S", bound=ModelSpec)


def check_settings(kind: type[S], name: str, settings: Mapping[str, Any]) -> S:
    """The settings of one `[verifier.NAME]` table, checked.

    Raises:
        ConfigError: a key is unknown or a value not allowed; the message never repeats a value.
    """
    try:
        return kind.model_validate(dict(settings))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        hint = ""
        if first["type"] == "extra_forbidden":
            hint = f"; known: {', '.join(sorted(kind.model_fields))}"
            if "key" in key.lower():
                hint = "; a key is never part of the configuration: name its environment variable in api_key_env"
        message = first["msg"].removeprefix("Value error, ")
        raise ConfigError(f"verifier {name!r}: {f'{key}: ' if key else ''}{message}{hint}") from None
