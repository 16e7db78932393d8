class Module:
    """Calls as PyTorch 2.x does: through ``_wrapped_call_impl``, compiled or not."""

    _compiled_call_impl = None

    def _wrapped_call_impl(self, *arguments, **named):
        if self._compiled_call_impl is not None:
            return self._compiled_call_impl(*arguments, **named)
        return self._call_impl(*arguments, **named)

    def _call_impl(self, *arguments, **named):
        return self.forward(*arguments, **named)

    __call__ = _wrapped_call_impl
