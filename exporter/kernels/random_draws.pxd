# C types of random_draws.py, for itself and for kernels that cimport Draws.
cimport cython


@cython.final
cdef class Draws:
    cdef unsigned long long key
    cdef unsigned long long counter
    cdef bint dotnet
    cdef int[56] table
    cdef int first
    cdef int second

    @cython.locals(largest=longlong, previous=longlong, current=longlong, value=longlong,
                   i=int, position=int)
    cdef void _start_dotnet(self, long long seed)

    @cython.locals(mask=ulonglong, step=ulonglong, multiplier_1=ulonglong,
                   multiplier_2=ulonglong, value=ulonglong)
    cpdef unsigned long long raw(self) noexcept

    @cython.locals(value=longlong)
    cdef long long _raw_dotnet(self) noexcept

    cpdef double sample(self) noexcept

    @cython.locals(share=double, bits=ulonglong)
    cpdef long long next(self, long long low, long long high) noexcept

    @cython.locals(i=Py_ssize_t)
    cpdef void fill(self, int[::1] target, long long low, long long high)


@cython.locals(half=longlong, mask=longlong)
cdef long long _wrap(long long value) noexcept
